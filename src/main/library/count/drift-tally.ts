import type {
  ConversationDrift,
  CountedName,
  DriftLine,
  FoundVersion,
} from '../../../shared/model/drift/drift'
import type { LineDrift } from '../../readers/known/line-drift'
import { isNewerVersion } from '../../readers/known/versions'

/** Names that are kept of a conversation: a file may have millions, and the cache has a line for each conversation. */
const mostNames = 32

/** Place of a line, and the offset where it is shown. */
type Line = Omit<DriftLine, 'shownAt'>

/** A running count of what is new in a conversation's lines; holds a few kilobytes at most. */
export class DriftTally {
  private readonly names = new Map<string, CountedName>()
  private version: FoundVersion | undefined
  private isCut = false
  /** The last line of the file that a transcript shows. */
  private shownAt: number | null = null
  /** Places in the file that were found before there was one. */
  private waiting: ((shownAt: number) => void)[] = []

  get found(): ConversationDrift {
    const { names, isCut, version } = this
    return { names: [...names.values()], isCut, ...(version === undefined ? {} : { version }) }
  }

  beginFile(): void {
    this.shownAt = null
    this.waiting = []
  }

  /** Takes note of a line that a transcript shows, before what is new on it. */
  addShown(offset: number): void {
    this.shownAt = offset
    for (const give of this.waiting.splice(0)) give(offset)
  }

  add({ names, isCut, version }: LineDrift, line: Line): void {
    if (isCut) this.isCut = true
    const place = { ...line, shownAt: this.shownAt }
    for (const { what, name } of names) this.addName(`${what} ${name}`, { what, name, ...place })
    if (version === undefined) return
    if (this.version !== undefined && !isNewerVersion(version, this.version.version)) return
    this.version = { version, ...place }
    if (place.shownAt === null)
      this.waiting.push((shownAt) => {
        if (this.version?.version === version) this.version = { ...this.version, shownAt }
      })
  }

  private addName(key: string, name: Omit<CountedName, 'lines'>): void {
    const known = this.names.get(key)
    if (known !== undefined) this.names.set(key, { ...known, lines: known.lines + 1 })
    else if (this.names.size < mostNames) {
      this.names.set(key, { ...name, lines: 1 })
      if (name.shownAt === null) this.waiting.push((shownAt) => this.show(key, shownAt))
    } else this.isCut = true
  }

  private show(key: string, shownAt: number): void {
    const known = this.names.get(key)
    if (known !== undefined) this.names.set(key, { ...known, shownAt })
  }
}
