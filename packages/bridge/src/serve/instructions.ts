/** For the model, at the start of a conversation. Clients cut it at 2 KB. */
export const INSTRUCTIONS = `This server is an office: one or more remote computers that you can use.

- Tools whose name begins with a computer's name (desk__read_file) run on that computer. Tools may appear and disappear \
as computers enter and leave; a computer that is missing may come back.
- office: who is here, and why a tool or a computer is missing. Call it when in doubt.
- desktop: what the programs on the computers show at the moment, as windows of text. Look before and after you act.
- find_documents and read_document: search inside documents on the computers, and read them page by page.
- Windows and documents are resources, too: a2c://COMPUTER/desktop, a2c://COMPUTER/window/…, a2c://COMPUTER/dpe/….

Computers do not share files: a path on one of them means nothing on another. A result with an error says what to do; \
"has left the office" means that the computer is offline, not that the tool is wrong.`;
