import { type SmartListId, smartListIds } from '../../../shared/model/lists/smart-lists'
import type { KeyValueStorage } from '../base/storage'

/** Filters of the library that last over a restart; the words of the filter do not. */
export interface KeptFilters {
  /** The one source that is shown; undefined shows all. */
  readonly source: string | undefined
  /** The one tag whose conversations are shown; undefined shows all. */
  readonly tag: string | undefined
  /** The one project whose conversations are shown; undefined shows all. */
  readonly project: string | undefined
  /** The smart list that is shown; undefined shows all. */
  readonly list: SmartListId | undefined
}

/** Filters that leave nothing out. */
export const noFilters: KeptFilters = {
  source: undefined,
  tag: undefined,
  project: undefined,
  list: undefined,
}

const storedName = 'skein.library-filters'

/** Reads the filters of before; what is none of ours is left out. */
export function readKeptFilters(kept: KeyValueStorage): KeptFilters {
  try {
    const { source, tag, project, list } = JSON.parse(kept.get(storedName) ?? '{}') as Partial<
      Record<keyof KeptFilters, unknown>
    >
    return {
      source: textOf(source),
      tag: textOf(tag),
      project: textOf(project),
      list: smartListIds.find((known) => known === list),
    }
  } catch {
    return noFilters // Not our JSON: the next change writes it anew.
  }
}

/** Keeps filters for the next start. */
export function keepFilters(kept: KeyValueStorage, filters: KeptFilters): void {
  const { source, tag, project, list } = filters
  kept.set(storedName, JSON.stringify({ source, tag, project, list }))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
