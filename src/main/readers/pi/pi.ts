import path from 'node:path'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { openListed } from '../common/found-files'
import { jsonLineFacts, unreadableSource } from '../common/json-lines'
import type { HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { readPiEnding, readPiOpening } from './ends'
import { listPiFiles } from './files'
import { piLine } from './line'

/**
 * The reader of pi's sessions: one file each, one record per line, which names its parent: a tree in one file.
 *
 * Format: pi's session format, version 3, by its specification and source of August 2026; docs/sources/pi.md. Settings and
 * states of extensions are no entries; what has no field is in the source line.
 */
export const piReader: HistoryReader = {
  id: 'pi',
  defaultRoots: ['~/.pi/agent'],
  rootVariable: 'PI_CODING_AGENT_DIR',
  watchedFolders: ['sessions'],
  list: listPiFiles,
  meaningOf: piLine,
  forkRule: 'every-child',
  read: (ref, disk, signal) => readingOf(ref.key, readSession(ref, disk, signal)),
  async lastTime(ref, disk, signal) {
    const opened = await openListed(disk, pathOf(ref))
    try {
      return (await readPiEnding(opened, signal)).lastTime
    } catch (error) {
      throw unreadableSource(pathOf(ref), error)
    } finally {
      await opened.close()
    }
  },
}

function pathOf({ root, files, key }: SourceRef): string {
  return path.join(root, files[0]?.file ?? `${key}.jsonl`)
}

async function* readSession(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const whole = pathOf(ref)
  const opened = await openListed(disk, whole)
  try {
    const { words, project, createdAt, name: early } = await readPiOpening(opened, signal)
    const storedTitle = (await readPiEnding(opened, signal)).name ?? early
    yield {
      type: 'conversation',
      conversation: {
        key: ref.key,
        title: storedTitle ?? words ?? ref.key,
        storedTitle,
        project: project ?? null,
        createdAt,
        parent: null,
      },
    }
    yield* jsonLineFacts(opened, ref.files[0]?.file ?? path.basename(whole), piLine, signal)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}
