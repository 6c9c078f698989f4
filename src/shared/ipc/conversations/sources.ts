import { z } from 'zod'
import { SourceDrift } from '../../model/drift/drift'
import {
  AddAnswer,
  DroppedPaths,
  ImportAnswer,
  SourceRoot,
  SourcesView,
} from '../../model/settings/source-roots'
import { call, event } from '../wire/primitives'

/** The roots of other history systems. A change takes effect before its call resolves; runs go on. */
export const sourcesContract = {
  /** As they are known; reads nothing. */
  get: call(z.void(), SourcesView),
  /**
   * Scans the roots that were not scanned yet; with `again` all of them, also where a scan was stopped. Resolves
   * when it has ended. Of roots that are off, and of all before a home is open, files are counted by their names, and none is read.
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
  /**
   * The system's dialog asks for an export, which is copied into the folder of imports and read there. Throws `bad-argument` where
   * no conversations are in it, `read-only`, `not-found`, `exists`, `disk-full`, `io`.
   */
  import: call(z.void(), ImportAnswer),
  /** Imports files or folders that were dropped, once a person has allowed it in the system's dialog. Throws as `import`, and `denied`, `busy`. */
  importDropped: call(DroppedPaths, ImportAnswer),
  /** Whether files wait that a person opened Skein with. */
  isOpenedWith: call(z.void(), z.boolean()),
  /**
   * Imports the files that wait, without a question: a person has named them outside of the page. A program's history is read where it
   * lies instead, and one that is read already is only shown. Where they hold one conversation, a link to it comes (`app.linkCame`).
   * Throws as `import`; for one of several, the answer has it.
   */
  importOpened: call(z.void(), ImportAnswer),
  /** Ends an import; what was copied stays, and the next import of the same file goes on there. */
  stopImport: call(z.void(), SourcesView),
  /**
   * What the histories of each source have that its reader does not know, as far as their conversations were counted. Reads
   * nothing but names. Throws `unreadable`.
   */
  drift: call(z.void(), z.array(SourceDrift)),
  /** Takes an added root away; nothing on the disk is touched. Throws `not-found`, `read-only`, `disk-full`, `io`. */
  remove: call(SourceRoot, SourcesView),
  /** Turns a default root on or off. Throws `not-found`, `read-only`, `disk-full`, `io`. */
  turn: call(SourceRoot.extend({ isOn: z.boolean() }), SourcesView),
  /**
   * Turns the backup of a root on or off; on, it is copied at once, and the call resolves when that has ended: the view has what
   * could not be copied. What was copied stays when it is turned off. Throws `not-found`, `read-only`, `bad-argument`, `disk-full`, `io`.
   */
  backUp: call(SourceRoot.extend({ isOn: z.boolean() }), SourcesView),
  /**
   * Deletes the backup of a root, once a person has allowed it in the system's dialog. Throws `not-found`, `read-only`, `denied`,
   * `busy`, `io`.
   */
  deleteBackup: call(SourceRoot, SourcesView),
  /** A person has opened Skein with files. */
  filesCame: event(z.object({})),
  /** At most ten a second during a scan or an import. */
  changed: event(SourcesView),
}
