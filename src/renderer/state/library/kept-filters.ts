import { type LabelColor, labelColors } from '../../../shared/model/conversation/label'
import { type SmartListId, smartListIds } from '../../../shared/model/lists/smart-lists'
import type { KeyValueStorage } from '../base/storage'

/** Filters of the library that last over a restart; the words of the filter do not. */
export interface KeptFilters {
  /** The one source that is shown; undefined shows all. */
  readonly source: string | undefined
  /** The one tag whose conversations are shown; undefined shows all. */
  readonly tag: string | undefined
  /** The one colour whose conversations are shown; undefined shows all. */
  readonly color: LabelColor | undefined
  /** The one project whose conversations are shown; undefined shows all. */
  readonly project: string | undefined
  /** The smart list that is shown; undefined shows all. */
  readonly list: SmartListId | undefined
}

/** Filters that leave nothing out. */
export const noFilters: KeptFilters = {
  source: undefined,
  tag: undefined,
  color: undefined,
  project: undefined,
  list: undefined,
}

const storedName = 'skein.library-filters'

/** Reads the filters of before; what is none of ours is left out. */
export function readKeptFilters(storage: KeyValueStorage): KeptFilters {
  try {
    const kept = JSON.parse(storage.get(storedName) ?? '{}') as Partial<
      Record<keyof KeptFilters, unknown>
    >
    const { source, tag, color, project, list } = kept
    return {
      source: textOf(source),
      tag: textOf(tag),
      color: labelColors.find((known) => known === color),
      project: textOf(project),
      list: smartListIds.find((known) => known === list),
    }
  } catch {
    return noFilters // Not our JSON: the next change writes it anew.
  }
}

/** Keeps filters for the next start. */
export function keepFilters(kept: KeyValueStorage, filters: KeptFilters): void {
  const { source, tag, color, project, list } = filters
  kept.set(storedName, JSON.stringify({ source, tag, color, project, list }))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
