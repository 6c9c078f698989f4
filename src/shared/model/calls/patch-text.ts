import { type FileEdit, fileEdit } from './file-edit'

const fileHead = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const types = { Add: 'write', Update: 'change', Delete: 'delete' } as const

/**
 * Parses the patches of `apply_patch` in a text, as Codex and others write them: from `*** Begin Patch` on, files with
 * lines that begin with a space, `+` or `-`, below `@@` and words that find the place. Lines of no such form become
 * notes of the diff. Never throws; empty without a patch.
 */
export function patchedFiles(text: string): readonly FileEdit[] {
  const edits: FileEdit[] = []
  let file: PatchedFile | undefined
  let isInside = false
  const close = () => {
    if (file !== undefined) edits.push(file.edit())
    file = undefined
  }
  for (const line of text.split(/\r?\n/)) {
    const head = fileHead.exec(line)
    if (line === '*** Begin Patch') isInside = true
    else if (line === '*** End Patch') {
      close()
      isInside = false
    } else if (isInside && head !== null) {
      close()
      const [, kind, path = ''] = head
      if (kind === 'Add' || kind === 'Update' || kind === 'Delete')
        file = new PatchedFile(path.trim(), types[kind])
    } else file?.add(line)
  }
  close()
  return edits
}

/** A file of a patch, as its lines come. */
class PatchedFile {
  private readonly parts: string[] = []
  private hunk: string[] = []
  private place = ''
  private movedTo: string | undefined

  private readonly path: string
  private readonly type: FileEdit['type']

  constructor(path: string, type: FileEdit['type']) {
    this.path = path
    this.type = type
  }

  add(line: string): void {
    const moved = /^\*\*\* Move to: (.+)$/.exec(line)
    if (moved !== null) this.movedTo = moved[1]?.trim()
    else if (line.startsWith('@@')) {
      this.endHunk()
      this.place = line.replace(/^@@\s?/, '').replace(/\s@@$/, '')
    } else if (line === '') this.hunk.push(' ')
    else if (/^[ +-]/.test(line)) this.hunk.push(line)
    else {
      this.endHunk()
      this.parts.push(`\\ ${line}`)
    }
  }

  edit(): FileEdit {
    // Empty lines before the next file, or the end, are none of the file's.
    while (this.hunk.at(-1) === ' ') this.hunk.pop()
    this.endHunk()
    const edit = fileEdit(this.path, this.type, this.parts.join('\n'))
    return this.movedTo === undefined ? edit : { ...edit, movedTo: this.movedTo }
  }

  private endHunk(): void {
    const { hunk, place } = this
    this.hunk = []
    this.place = ''
    if (hunk.length === 0) return
    const without = (sign: string) => hunk.filter((line) => !line.startsWith(sign)).length
    const head = `@@ -1,${without('+')} +1,${without('-')} @@`
    this.parts.push(place === '' ? head : `${head} ${place}`, ...hunk)
  }
}
