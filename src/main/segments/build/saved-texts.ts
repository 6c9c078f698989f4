import type { SavedOutputs } from '../../../shared/model/conversation/tool-results'
import { withOutput } from '../../../shared/model/conversation/tool-results'
import type { SearchableEntry } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import { readTextPart } from '../../disk/reading/saved-text'

/** Most of one output that is searched, in bytes: no tool makes more, and it is held at once. */
const mostSearchedBytes = 64 * 1024 * 1024

/** Outputs of tools that a conversation's file names, put into the texts of its entries. One is held at a time. */
export class SavedTexts {
  private readonly disk: Disk
  private readonly outputs: SavedOutputs
  private readonly folder: ReturnType<SavedOutputs['folderOf']>
  private fault_: string | undefined

  /** @param file the conversation's; absolute */
  constructor(disk: Disk, outputs: SavedOutputs, file: string) {
    this.disk = disk
    this.outputs = outputs
    this.folder = outputs.folderOf(file)
  }

  /** What of an output could not be searched, as a sentence without its full stop; undefined where all was, or is gone. */
  get fault(): string | undefined {
    return this.fault_
  }

  /** Letters that a line has which may have such an entry. */
  get mark(): string {
    return this.outputs.mark
  }

  /** Returns the entry with its output in its text; the entry itself where it has none, or none that can be read. */
  async filled(entry: SearchableEntry): Promise<SearchableEntry> {
    const { saved, text } = entry
    if (saved === undefined || this.folder === undefined) return entry
    const { base, below } = this.folder
    const way = `${below}/${saved.file}`
    const found = await readTextPart(this.disk, base, way, 0, mostSearchedBytes)
    if (found.type === 'unreadable') this.fault_ = `the output ${saved.file} cannot be read`
    if (found.type !== 'read') return entry
    if (found.value.to < found.value.bytes)
      this.fault_ = `only the first 64 MB of the output ${saved.file} are searched`
    return { ...entry, text: withOutput(text, saved, found.value.text) }
  }
}
