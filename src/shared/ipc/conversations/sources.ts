import { z } from 'zod'
import { AddAnswer, SourceRoot, SourcesView } from '../../model/settings/source-roots'
import { call, event } from '../wire/primitives'

/** The roots of other history systems. A change takes effect before its call resolves; runs go on. */
export const sourcesContract = {
  /** As they are known; reads nothing. */
  get: call(z.void(), SourcesView),
  /**
   * Scans the roots that were not scanned yet; with `again` all of them, also where a scan was stopped. Resolves
   * when it has ended.
   */
  look: call(z.object({ again: z.boolean() }), SourcesView),
  /** Ends looking; what was found stays in the library. */
  stop: call(z.void(), SourcesView),
  /**
   * The system's dialog asks for a folder or a file; the one system that finds conversations there is its source. Throws
   * `exists` for one that is read already, `read-only` where Settings do not say what is read, `disk-full`, `io`.
   */
  add: call(z.object({ kind: z.enum(['folder', 'file']) }), AddAnswer),
  /** Adds what was picked last, as this source's. Throws as `add`, and `bad-argument` for another path. */
  addAs: call(SourceRoot, SourcesView),
  /** Takes an added root away; nothing on the disk is touched. Throws `not-found`, `read-only`, `disk-full`, `io`. */
  remove: call(SourceRoot, SourcesView),
  /** Turns a default root on or off. Throws `not-found`, `read-only`, `disk-full`, `io`. */
  turn: call(SourceRoot.extend({ isOn: z.boolean() }), SourcesView),
  /** At most ten a second during a scan. */
  changed: event(SourcesView),
}
