/** The shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The line that stands for names of files among the candidates. */
export const FILES = ':files';

/**
 * The script for each shell. It asks the command for candidates each time, so that it fits every version. A candidate is
 * a line of the word, a tab and its description.
 */
export const scripts: Record<Shell, string> = {
  bash: `# eval "$(a2c completion bash)" in ~/.bashrc
_a2c() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ${FILES} ]]; then compopt -o default 2>/dev/null
    else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(a2c completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _a2c a2c`,
  zsh: `#compdef a2c
# eval "$(a2c completion zsh)" in ~/.zshrc, after compinit
_a2c() {
  local line files
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == ${FILES} ]]; then files=1
    else candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done < <(a2c completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe 'a2c' candidates
  [[ -n $files ]] && _files
}
if [[ \${funcstack[1]} == _a2c ]]; then _a2c "$@"; else compdef _a2c a2c; fi`,
  fish: `# a2c completion fish | source in ~/.config/fish/config.fish
function __a2c_candidates
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  for line in (a2c completion words -- $words[2..-1] "$last" 2>/dev/null)
    if test "$line" = ${FILES}
      __fish_complete_path "$last"
    else
      echo $line
    end
  end
end
complete -c a2c -f -a '(__a2c_candidates)'`,
};
