import type { ConversationSummary } from '../../../shared/model/conversation/conversation'

/** The row that the pointer or the cursor is on, which stays at its place while the list around it is being read. */
export interface PinnedRow {
  /** Returns changed rows as the list takes them in: the held one keeps the time and project by which it has its place. */
  atItsPlace(
    changed: readonly ConversationSummary[],
    before: ReadonlyMap<string, ConversationSummary>,
  ): readonly ConversationSummary[]
  /** Forgets what became of the held row where it has come anew with its own place, or is gone. */
  replace(keys: ReadonlySet<string>): void
  /** Holds another row; returns the one that was held as it is now, where it has another place. */
  hold(key: string | undefined): ConversationSummary | undefined
  /** Holds none, and forgets what became of the last one. */
  release(): void
}

/** Makes the held row; none is held at first. */
export function createPinnedRow(): PinnedRow {
  let held: string | undefined
  let late: ConversationSummary | undefined

  return {
    atItsPlace(changed, before) {
      return changed.map((row) => {
        const old = row.key === held ? before.get(row.key) : undefined
        if (old === undefined) return row
        const { updated, project } = old
        late = row.updated === updated && row.project === project ? undefined : row
        return { ...row, updated, project }
      })
    },
    replace(keys) {
      if (late !== undefined && keys.has(late.key)) late = undefined
    },
    hold(key) {
      if (key === held) return undefined
      const row = late
      held = key
      late = undefined
      return row
    },
    release() {
      held = undefined
      late = undefined
    },
  }
}
