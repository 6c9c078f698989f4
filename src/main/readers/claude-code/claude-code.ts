import { readingOf } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { callerFacts } from '../common/drafts'
import { type ReadEnds, withGlance } from '../common/glance'
import { fileOf, inOwnFile, lineFileFacts } from '../common/one-file'
import type { ConversationFact, HistoryReader, SourceRef } from '../common/reader'
import { anyName } from '../common/sessions/layout'
import { namelessTool, withToolNames } from '../common/tool-names'
import { claudeCodeBackup, listClaudeCodeFiles } from './files'
import { readSessionHead } from './head'
import { claudeCodeFormat } from './known'
import { claudeCodeLine } from './line'
import { claudeCodeOutputs } from './saved-output'
import { readSubagent } from './subagent'
import { readSessionTail } from './tail'

const reader: HistoryReader = {
  id: 'claude-code',
  defaultRoots: ['~/.claude'],
  footprint: {
    conversation: [
      ['projects', anyName, /^(?!agent-)[^.].*\.jsonl(?:\.gz|\.zst)?$/i],
      ['projects', anyName, anyName, 'subagents', /^agent-.*\.jsonl(?:\.gz|\.zst)?$/i],
    ],
  },
  rootVariable: 'CLAUDE_CONFIG_DIR',
  watchedFolders: ['projects'],
  backup: claudeCodeBackup,
  list: listClaudeCodeFiles,
  restatesNumbers: true,
  keepsSigns: true,
  namesToolsEarlier: true,
  meaningOf: claudeCodeLine,
  known: claudeCodeFormat,
  forkRule: 'human-turns',
  savedOutputs: claudeCodeOutputs,
  read(ref, disk, signal) {
    const accept = withToolNames(claudeCodeLine, namelessTool)
    const begin = async (opened: DiskFile) => (await readEnds(ref, opened, disk, signal)).first
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, accept, begin))
  },
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, async (opened) => (await readSessionTail(opened, signal)).lastTime),
}

/**
 * The reader of Claude Code's histories: one file per session, one record per line, with parents; subagents in files of
 * their own below the session's folder, or beside it, or inside the session's file.
 *
 * Format: no specification is published. Files of Claude Code 1.0 to 2.1.251 as users and other readers describe them,
 * seen until November 2026; docs/sources/claude-code.md. Records without words (progress, snapshots of files, modes, the queue) are no
 * entries. Outputs in files of their own are named (`saved_output`). Left out: `toolUseResult`, which repeats what the result says, and
 * the signatures of thoughts; they are in the source line. A title in the middle of a file of more than 128 KB is not found, as the program itself does not find it.
 */
export const claudeCodeReader: HistoryReader = withGlance(reader, (ref, disk, signal) =>
  inOwnFile(ref, disk, (opened) => readEnds(ref, opened, disk, signal)),
)

async function readEnds(
  ref: SourceRef,
  opened: DiskFile,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadEnds> {
  const head = await readSessionHead(opened, signal)
  const tail = await readSessionTail(opened, signal)
  const subagent = await readSubagent(ref, fileOf(ref).file, head, disk)
  return { first: conversationOf(ref, { ...head, ...tail }, subagent), lastTime: tail.lastTime }
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
    ...callerFacts(subagent?.session, subagent?.call),
  }
}
