import path from 'node:path'

/** Names the kind of a call of a disk: what is called, and what kind of file it is by the end of its name, if that is a word. */
export function callKind(call: string, file: string): string {
  const end = path.extname(file)
  return `${call} ${/^\.[a-z]+$/.test(end) ? end : ''}`
}

/** Names the kind of the opening of a file that is read: each file is one, of those with a number any. */
export function openingKind(file: string): string {
  const name = path.basename(file)
  return /^\.?[a-z][a-z_.]*\.[a-z]+$/.test(name) ? `open ${name}` : callKind('open', file)
}
