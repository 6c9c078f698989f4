import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openLibrary } from '../../src/main/library/library'
import { openHistories } from '../../src/main/library/sources/histories'
import { historyDisk } from '../../src/main/readers/history-disk'
import { openStore } from '../../src/main/store/open-store'
import type { SourceId } from '../../src/shared/model/conversation/sources'
import type { SourceDrift } from '../../src/shared/model/drift/drift'

/** Reads all conversations under a root, and returns what is new in them. */
export async function driftIn(source: SourceId, root: string): Promise<SourceDrift> {
  const disk = historyDisk(nodeDisk)
  const isHome = source === 'chibi'
  const library = openLibrary({
    disk,
    store: isHome ? openStore({ home: root, disk }) : undefined,
    shownHome: '~/.chibi',
    histories: openHistories(disk, isHome ? [] : [{ source, path: root }]),
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  try {
    await library.all(true)
    const [drift, ...others] = await library.drift()
    if (drift === undefined || others.length > 0) throw new Error(`not one source in ${root}`)
    return drift
  } finally {
    await library.close()
  }
}
