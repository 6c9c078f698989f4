import { z } from 'zod'
import type { KeyValueStorage } from '../base/storage'

/** Layout of a comparison, and what of it is shown. */
export interface CompareOptions {
  readonly layout: 'split' | 'unified'
  /** Marks the words that only one side has. */
  readonly words: boolean
  /** Shows only what differs. */
  readonly onlyDiffering: boolean
}

const name = 'skein.compare'
const Options = z.object({
  layout: z.enum(['split', 'unified']).catch('split'),
  words: z.boolean().catch(true),
  onlyDiffering: z.boolean().catch(false),
})

/** Reads how a comparison was shown last; side by side with marked words where nothing is kept. */
export function readOptions(kept: KeyValueStorage): CompareOptions {
  try {
    return Options.parse(JSON.parse(kept.get(name) ?? '{}'))
  } catch {
    // A foreign value under this name; the next change overwrites it.
    return Options.parse({})
  }
}

/** Returns the name and the value under which options are kept. */
export function keptOptions(options: CompareOptions): readonly [name: string, value: string] {
  return [name, JSON.stringify(options)]
}
