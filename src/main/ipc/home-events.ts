import type { HomeEvents } from '../home/home'
import { rowsForWindow } from './limits/rows-for-window'
import type { WindowEvents } from './window-events'

/** Domains of the contract whose events come from a home. */
type Told = Pick<
  WindowEvents,
  | 'library'
  | 'transcript'
  | 'completion'
  | 'compaction'
  | 'contexts'
  | 'branches'
  | 'search'
  | 'labels'
  | 'statistics'
>

/** Makes the app window's events of a home's events. */
export function homeEvents(tell: Told): HomeEvents {
  return {
    conversationsChanged: ({ conversations, gone, listing }) =>
      tell.library.changed({
        conversations: [...conversations],
        gone: [...gone],
        ...(listing === undefined ? {} : { listing }),
      }),
    familiesChanged: () => tell.branches.changed({}),
    labelsChanged: () => tell.labels.changed({}),
    statisticsChanged: () => tell.statistics.changed({}),
    indexChanged: (progress) => tell.search.index(progress),
    rowsAppended: ({ rows, ...place }) =>
      tell.transcript.appended({ ...place, rows: rowsForWindow(rows) }),
    transcriptChanged: (told) => tell.transcript.changed(told),
    lockChanged: (told) => tell.transcript.lock(told),
    runChanged: (progress) => tell.completion.state(progress),
    answerGrew: (delta) => tell.completion.delta(delta),
    approvalAsked: (approval) => tell.completion.consentAsked(approval),
    approvalEnded: (approval) => tell.completion.consentEnded(approval),
    compactionChanged: (compaction) => tell.compaction.state(compaction),
    contextRenamed: (told) => tell.contexts.renamed(told),
    contextDestroyed: (told) => tell.contexts.destroyed(told),
    archivedChanged: (archived) => tell.contexts.archivedChanged({ archived: [...archived] }),
    notesChanged: (notes) => tell.contexts.notesChanged(notes),
  }
}
