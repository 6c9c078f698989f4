import { Role } from '../../shared/model/conversation/entry'
import { Gap, readingOf } from '../../shared/model/conversation/reading'
import type { Disk } from '../disk/interface/disk'
import { openStore } from '../store/open-store'
import { streamContext } from '../store/transcript-files'
import type { HistoryReader, SourceFact, SourceRef } from './common/reader'
import { allAs, type KnownFormat, knownNames, knownObject, knownTypes } from './known/known-format'

const entryTypes = [
  ...['message', 'tool_call', 'tool_result', 'flow_control_call', 'flow_control_result'],
  ...['control_transfer', 'context_created', 'compaction', 'archival', 'system_prompt'],
  // Of Skein, in what it took over from other systems.
  ...['system_prompt_changed', 'reasoning', 'document', 'unknown'],
]

/** Table of what is known of the lines of a transcript; `metadata` has whatever a system had that an entry comes from. */
const chibiFormat: KnownFormat = {
  record: knownObject(
    ['id', 'timestamp', 'from', 'to', 'content', 'metadata', 'tool_call_id', 'flow_control'],
    { role: knownNames(Role.options) },
    {
      ...knownTypes('entry_type', allAs(entryTypes, knownObject(['entry_type']))),
      isWrapper: true,
    },
  ),
}

/**
 * The reader of chibi's homes of all eras, 0.1 to 0.10, through the store: other homes are read as ours is.
 *
 * Format: formats chapter 1 (chibi 717af12 and the tags 0.5.1 to 0.10.0). Nothing is lost but what chibi itself does
 * not keep: reasoning, usage, and the text beside tool calls. Of the derived `context.jsonl` only
 * lines that the transcript lacks are read.
 */
export const chibiReader: HistoryReader = {
  id: 'chibi',
  defaultRoots: ['~/.chibi'],
  known: chibiFormat,

  async *list(root, disk, signal) {
    for (const context of await openStore({ home: root, disk }).listContexts(signal))
      yield {
        source: 'chibi',
        root,
        key: context.name,
        files: [],
        bytes: context.bytes,
        updatedAtMs: context.updatedAtMs,
      }
  },

  read: (ref, disk, signal) => readingOf(ref.key, readContext(ref, disk, signal)),
}

async function* readContext(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key, root } = ref
  const store = openStore({ home: root, disk })
  const listing = await store.findContext(key)
  // Where they cannot be read, only the way to what came of it is lost.
  const formerKeys = await store.contexts.formerNames(key).catch(() => [])
  yield {
    type: 'conversation',
    conversation: {
      key,
      title: key,
      project: null,
      createdAt: listing?.createdAt,
      parent: null,
      ...(formerKeys.length === 0 ? {} : { formerKeys }),
    },
  }
  for await (const piece of streamContext(disk, root, key, signal)) {
    if (piece instanceof Gap || piece.type !== 'line') yield piece
    else if (piece.fact.kind === 'blank') yield { type: 'blank', place: piece.fact.place }
    else yield* piece.fact.rows
  }
}
