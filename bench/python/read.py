"""Reads documents with markitdown or pandoc: paths as lines on standard input, a line of JSON for each."""

import json
import resource
import subprocess
import sys

NAME = sys.argv[1]
# CPU and memory of pandoc, which is a process for each file, are those of the children.
WHO = resource.RUSAGE_CHILDREN if NAME == "pandoc" else resource.RUSAGE_SELF
# pandoc takes all others for Markdown.
TYPES = {"docx", "html", "odt", "epub", "md", "csv"}
TIMEOUT_SECONDS = 20


def open_reader():
    if NAME == "pandoc":
        import pypandoc

        pandoc = pypandoc.get_pandoc_path()

        def read(path):
            if path.rsplit(".", 1)[-1] not in TYPES:
                return ""
            command = [pandoc, "--to=gfm-raw_html", "--wrap=none", path]
            return subprocess.run(command, capture_output=True, check=True, text=True, timeout=TIMEOUT_SECONDS).stdout

        return read
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: converter.convert(path).text_content


def cpu():
    usage = resource.getrusage(WHO)
    return (usage.ru_utime + usage.ru_stime) * 1000


read = open_reader()
for line in sys.stdin:
    before = cpu()
    try:
        text = read(line.strip())
    except Exception:
        text = ""
    # Kilobytes on Linux, bytes on macOS.
    peak = resource.getrusage(WHO).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps({"text": text, "cpu": cpu() - before, "peak": peak}), flush=True)
