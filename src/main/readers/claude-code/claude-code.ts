import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { ConversationKey } from '../../../shared/model/conversation/conversation'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { openListed } from '../common/found-files'
import { jsonLineFacts, unreadableSource } from '../common/json-lines'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { toolNamer } from '../common/tool-names'
import { listClaudeCodeFiles } from './files'
import { readSessionHead } from './head'
import { claudeCodeLine, unnamedTool } from './line'
import { readSubagent } from './subagent'
import { readSessionTail } from './tail'

/**
 * The reader of Claude Code's histories: one file per session, one record per line, with parents; subagents in files of
 * their own below the session's folder, or beside it, or inside the session's file.
 *
 * Format: no specification is published. Files of Claude Code 1.0 to 2.1.251 as users and other readers describe them,
 * seen until November 2026; docs/sources/claude-code.md. Records without words (progress, snapshots of files, modes, the queue) are no
 * entries. Left out: `toolUseResult`, which repeats what the result says, and the signatures of thoughts; they are in
 * the source line. A title in the middle of a file of more than 128 KB is not found, as the program itself does not find it.
 */
export const claudeCodeReader: HistoryReader = {
  id: 'claude-code',
  defaultRoots: ['~/.claude'],
  rootVariable: 'CLAUDE_CONFIG_DIR',
  watchedFolders: ['projects'],
  list: listClaudeCodeFiles,
  meaningOf: claudeCodeLine,
  forkRule: 'human-turns',
  read: (ref, disk, signal) => readingOf(ref.key, readSession(ref, disk, signal)),
  async lastTime(ref, disk, signal) {
    const opened = await openListed(disk, pathOf(ref))
    try {
      return (await readSessionTail(opened, signal)).lastTime
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
  const file = ref.files[0]?.file ?? path.basename(whole)
  const opened = await openListed(disk, whole)
  try {
    const head = await readSessionHead(opened, signal)
    const tail = await readSessionTail(opened, signal)
    const subagent = await readSubagent(ref, file, head, disk)
    yield {
      type: 'conversation',
      conversation: conversationOf(ref, { ...head, ...tail }, subagent),
    }
    const nameResults = toolNamer(unnamedTool)
    const accept = (value: unknown, text: string, position: ValuePosition) => {
      const line = claudeCodeLine(value, text, position)
      return typeof line === 'string' ? line : nameResults(line)
    }
    yield* jsonLineFacts(opened, file, accept, signal)
  } catch (error) {
    throw error instanceof AppError ? error : unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}

type Ends = Awaited<ReturnType<typeof readSessionHead>> &
  Awaited<ReturnType<typeof readSessionTail>>
type Subagent = Awaited<ReturnType<typeof readSubagent>>

function conversationOf(ref: SourceRef, ends: Ends, subagent: Subagent): ConversationFact {
  const stored =
    subagent?.title ??
    ends.lateTitles.custom ??
    ends.titles.custom ??
    ends.lateTitles.ai ??
    ends.titles.ai ??
    ends.lateTitles.summary ??
    ends.titles.summary
  const words = subagent === undefined ? ends.human : (ends.human ?? ends.prompt)
  return {
    key: ref.key,
    title: stored ?? words ?? ends.prompt ?? ref.key,
    storedTitle: stored,
    project: ends.project ?? null,
    createdAt: ends.createdAt,
    parent: subagent === undefined ? null : { key: subagent.session, entries: 0 },
    ...(subagent === undefined
      ? {}
      : {
          subagentOf: {
            key: ConversationKey.parse(subagent.session),
            ...(subagent.call === undefined ? {} : { call: subagent.call }),
          },
        }),
  }
}
