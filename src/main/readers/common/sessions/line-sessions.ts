import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { type Gap, readingOf } from '../../../../shared/model/conversation/reading'
import type { SourceId } from '../../../../shared/model/conversation/sources'
import type { Disk, DiskFile } from '../../../disk/interface/disk'
import type { AcceptValue } from '../../../disk/json/json-accept'
import { lineNames } from '../../../disk/json/line-names'
import { sourceFileOf } from '../found-files'
import { withGlance } from '../glance'
import { inOwnFile, lineFileFacts, refOfFile } from '../one-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../reader'
import { namelessTool, withToolNames } from '../tool-names'
import type { ValueMeaning } from '../value-meaning'
import { findLaid, type LaidFile, type Layout } from './layout'
import {
  type LineFacts,
  lineFactsOf,
  readSessionEnding,
  readSessionOpening,
  type SessionRecordFields,
} from './line-ends'

/** Facts of a session from its place, or from a file next to its own; they count before those of its lines. */
export type SessionSideFacts = Partial<
  Pick<
    ConversationFact,
    'storedTitle' | 'title' | 'project' | 'createdAt' | 'parent' | 'subagentOf'
  >
>

/** Addition to the entries of one session of what its other lines tell, such as the tokens of an answer. */
export interface LineFollower {
  /** Returns the same conversion, which notes what lines say of others. */
  accept(inner: AcceptValue<ValueMeaning>): AcceptValue<ValueMeaning>
  /** Passes on the facts of the session, in their order. */
  follow(facts: AsyncIterable<SourceFact | Gap>): AsyncGenerator<SourceFact | Gap>
}

/** A format with a file of JSON values, one a line, for each session. */
interface LineSessions
  extends Pick<
    HistoryReader,
    | 'defaultRoots'
    | 'rootVariable'
    | 'watchedFolders'
    | 'backup'
    | 'known'
    | 'forkRule'
    | 'isImported'
    | 'restatesNumbers'
    | 'keepsSigns'
    | 'namesToolsEarlier'
    | 'isRicher'
  > {
  readonly id: SourceId
  /** Where sessions lie below the system's own folder. */
  readonly layouts: readonly Layout[]
  /** Of files with one key the first counts, in the order of the layouts: they are forms of one session. */
  readonly firstCounts?: true | undefined
  /** Returns the key of the session that a file is; undefined where it is none. The file's place where another has it already. */
  readonly keyOf: (laid: LaidFile) => string | undefined
  readonly meaningOf: AcceptValue<ValueMeaning>
  /** Reads what a record tells of its session, beside its entries. */
  readonly fieldsOf: (record: JsonObject) => SessionRecordFields
  /** Keys and texts of which each record has one that gives the session a title by `fieldsOf`; see `lineNames`. */
  readonly titleNames: readonly string[]
  /** Reads the title that a file beside a session gives it, while listing, so that a change of it is seen. */
  readonly titleOf?:
    | ((laid: LaidFile, base: string, disk: Disk) => Promise<string | undefined>)
    | undefined
  /** Makes what adds to entries what other lines of a session tell, one for each reading of it. */
  readonly follower?: (() => LineFollower) | undefined
  /** Reads what else lies beside a session, when it is read. */
  readonly sideFactsOf?: (ref: SourceRef, found: LineFacts, disk: Disk) => Promise<SessionSideFacts>
}

/** Makes the reader of a format with a file of lines for each session. */
export function lineSessionReader({
  layouts,
  keyOf,
  titleOf,
  titleNames,
  fieldsOf,
  sideFactsOf,
  follower,
  firstCounts,
  ...format
}: LineSessions): HistoryReader {
  const { id, meaningOf } = format
  const factsOf = lineFactsOf(meaningOf, fieldsOf)
  const mayName = lineNames(titleNames)
  const ends = async (ref: SourceRef, opened: DiskFile, disk: Disk, signal: AbortSignal) => {
    const found = await readSessionOpening(opened, factsOf, signal)
    const ending = await readSessionEnding(opened, factsOf, mayName, signal)
    const beside = (await sideFactsOf?.(ref, found, disk)) ?? {}
    const title = ending.title ?? found.title
    return { first: conversationOf(ref, { ...found, title }, beside), lastTime: ending.time }
  }
  const reader: HistoryReader = {
    ...format,
    footprint: { conversation: layouts },
    list: (root, disk, signal) =>
      listSessionFiles({ id, layouts, keyOf, titleOf, firstCounts }, root, disk, signal),
    read(ref, disk, signal) {
      const accept =
        format.namesToolsEarlier === true ? withToolNames(meaningOf, namelessTool) : meaningOf
      const fact = async (opened: DiskFile) => (await ends(ref, opened, disk, signal)).first
      const own = follower?.()
      if (own === undefined)
        return readingOf(ref.key, lineFileFacts(ref, disk, signal, accept, fact))
      const facts = lineFileFacts(ref, disk, signal, own.accept(accept), fact)
      return readingOf(ref.key, own.follow(facts))
    },
    lastTime: (ref, disk, signal) =>
      inOwnFile(
        ref,
        disk,
        async (opened) => (await readSessionEnding(opened, factsOf, mayName, signal)).time,
      ),
  }
  return withGlance(reader, (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => ends(ref, opened, disk, signal)),
  )
}

function conversationOf(
  { key, storedTitle: listed }: SourceRef,
  { title, words, project, time, caller }: LineFacts,
  beside: SessionSideFacts,
): ConversationFact {
  const storedTitle = listed ?? beside.storedTitle ?? title
  const subagentOf = beside.subagentOf ?? caller
  return {
    key,
    title: storedTitle ?? words ?? beside.title ?? key,
    storedTitle,
    project: beside.project ?? project ?? null,
    createdAt: beside.createdAt ?? time,
    parent: beside.parent ?? (caller === undefined ? null : { key: caller.key, entries: 0 }),
    ...(subagentOf === undefined ? {} : { subagentOf }),
  }
}

async function* listSessionFiles(
  {
    id,
    layouts,
    keyOf,
    titleOf,
    firstCounts,
  }: Pick<LineSessions, 'id' | 'layouts' | 'keyOf' | 'titleOf' | 'firstCounts'>,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const laid = await findLaid(layouts, root, disk, signal)
  if (laid === undefined) return
  const keys = new Set<string>()
  for await (const one of laid.files) {
    const wanted = keyOf(one)
    if (wanted === undefined || (firstCounts === true && keys.has(wanted))) continue
    const key = keys.has(wanted) ? one.file : wanted
    keys.add(key)
    const storedTitle = await titleOf?.(one, laid.base, disk)
    const ref = refOfFile(id, laid.base, key, sourceFileOf(one.file, one.found))
    yield storedTitle === undefined ? ref : { ...ref, storedTitle }
  }
}
