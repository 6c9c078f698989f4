import type { SearchableEntry } from '../../shared/model/search'

/** The names of tools by call id, from the calls of a file up to a place. */
export class ToolNames {
  private readonly byCall = new Map<string, string>()
  /** Bytes and lines of the file that were read. */
  at = 0
  line = 1

  /** Takes in a call; gives a result the name of its tool. Entries must come in the file's order. */
  named(entry: SearchableEntry): SearchableEntry {
    const { toolCallId: id, tool } = entry
    if (id === undefined) return entry
    if (entry.field === 'arguments' && tool !== undefined) this.byCall.set(id, tool)
    if (entry.field !== 'result' || tool !== undefined) return entry
    const name = this.byCall.get(id)
    return name === undefined ? entry : { ...entry, tool: name }
  }
}

/** A cache of the names of the file that was read last: jobs read a long file piece by piece. */
export class ToolNamesCache {
  private kept: { readonly state: string; readonly names: ToolNames } | undefined

  /**
   * Those that end at `from` or before it; new ones where there are none. They are removed from the cache.
   *
   * @param state names the file and what it holds now: identity, size and time
   */
  take(state: string, from: number): ToolNames {
    const { kept } = this
    if (kept === undefined || kept.state !== state || kept.names.at > from) return new ToolNames()
    this.kept = undefined
    return kept.names
  }

  keep(state: string, names: ToolNames): void {
    this.kept = { state, names }
  }
}
