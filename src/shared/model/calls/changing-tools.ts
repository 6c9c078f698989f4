/** Tools that change a file, by their letters in lower case: `write_file`, `CreateFile`, `ReplaceOneInFile`. */
const changing: ReadonlySet<string> = new Set([
  ...['writefile', 'writetofile', 'createfile', 'appendfile', 'appendtofile', 'create'],
  ...['editfile', 'updatefile', 'deletefile', 'inserteditintofile', 'createnewfile'],
  ...['replacefilecontent', 'replaceoneinfile', 'replacemultipleinfile', 'insert', 'undoedit'],
  ...['replaceinfile', 'replacestringinfile', 'multireplacestringinfile', 'replace'],
  ...['write', 'edit', 'multiedit', 'notebookedit', 'strreplace', 'searchreplace'],
  ...['strreplaceeditor', 'strreplacebasededittool', 'applypatch', 'applydiff'],
])

/** Returns true for a tool that changes files, by its name alone. */
export function isChangingTool(name: string): boolean {
  return changing.has(lettersOf(name))
}

/** Returns the letters of a tool's name in lower case: systems write the same tools as `write_file`, `WriteFile` or `writeFile`. */
export function lettersOf(toolName: string): string {
  return toolName.toLowerCase().replace(/[^a-z]/g, '')
}
