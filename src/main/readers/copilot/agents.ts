import { firstWords } from '../../../shared/model/basics/first-words'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk, DiskFile, FileStat } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { readLines } from '../../disk/reading/lines'
import { textIn } from '../common/drafts'
import { inListedFile } from '../common/found-files'
import { perFileCache } from '../common/per-file-cache'
import { valuesOn } from '../common/record-values'
import { agentOf, copilotLine, eventOf, ownLines, sessionProject, timeOf } from './line'

/** A subagent whose events are in the file of a session. */
export interface FileAgent {
  readonly id: string
  /** The tool call that began it. */
  readonly call: string | undefined
  /** Its name: "Explore". */
  readonly name: string | undefined
  /** The first words of what it was asked. */
  readonly words: string | undefined
  /** Unix seconds of its first and its last entry. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Of its lines. */
  readonly bytes: number
}

/** Facts of a file up to the end of its last whole line. */
interface ScannedFile {
  readonly stat: FileStat
  readonly scannedBytes: number
  readonly agents: ReadonlyMap<string, FileAgent>
  /** The folder of the session's project. */
  readonly project: string | null
}

/** The subagents in a file, and what they have in common. */
interface FileAgents {
  readonly agents: readonly FileAgent[]
  readonly project: string | null
}

const files = perFileCache<ScannedFile>()

/**
 * Finds the subagents in a file, in the order of their first events. Reads what was added since the last time; parses
 * only lines that name one, and the first.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function agentsIn(
  disk: Disk,
  file: string,
  stat: FileStat,
  signal: AbortSignal,
): Promise<FileAgents> {
  const { agents, project } = await files.get(disk, file, stat, (before) => {
    const hasGrown =
      before?.stat.identity === stat.identity && before.scannedBytes <= stat.sizeBytes
    return inListedFile(disk, file, (opened) =>
      scan(opened, stat, hasGrown ? before : undefined, signal),
    )
  })
  return { agents: [...agents.values()], project }
}

async function scan(
  opened: DiskFile,
  stat: FileStat,
  before: ScannedFile | undefined,
  signal: AbortSignal,
): Promise<ScannedFile> {
  const agents = new Map(before?.agents)
  let scannedBytes = before?.scannedBytes ?? 0
  let project = before?.project ?? null
  const range = { from: scannedBytes, to: stat.sizeBytes, signal }
  for await (const lines of readLines(opened, range))
    for (const line of lines) {
      // A last line without its end is read again when it has one; until then it counts for what is there.
      if (line.ended) scannedBytes = line.offset + line.length + 1
      const isFirst = line.offset === 0
      if (!isFirst && !asBuffer(line.bytes).includes(agentField)) continue
      for (const found of await valuesOn(line, eventRecord)) {
        if (isFirst) project = projectOf(found.event)
        note(agents, found, line.length)
      }
    }
  return { stat, scannedBytes, agents, project }
}

function projectOf(event: JsonObject): string | null {
  const { type, data } = eventOf(event) ?? {}
  return type === 'session.start' && data !== undefined ? sessionProject(data) : null
}

const agentField = '"agentId"'

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface FoundEvent {
  readonly event: JsonObject
  /** Somebody says something in it. */
  readonly isEntry: boolean
}

function eventRecord(value: unknown, text: string, position: ValuePosition): FoundEvent | string {
  const meaning = copilotLine(value, text, position)
  if (typeof meaning === 'string') return meaning
  if (!isJsonObject(value)) return 'not a JSON object'
  return { event: value, isEntry: meaning.type === 'entries' }
}

function note(agents: Map<string, FileAgent>, { event, isEntry }: FoundEvent, bytes: number): void {
  const id = agentOf(event)
  if (id === ownLines) return
  const known = agents.get(id) ?? { ...unknownAgent, id }
  const { type = '', data = {} } = eventOf(event) ?? {}
  const time = isEntry ? (timeOf(event) ?? undefined) : undefined
  const asked = type === 'user.message' && typeof data.content === 'string' ? data.content : ''
  agents.set(id, {
    id,
    call: known.call ?? (type === 'subagent.started' ? textIn(data.toolCallId) : undefined),
    name: known.name ?? textIn(data.agentDisplayName) ?? textIn(data.agentName),
    words: known.words ?? (firstWords(asked) || undefined),
    first: known.first ?? time,
    last: time ?? known.last,
    bytes: known.bytes + bytes,
  })
}

const unknownAgent: Omit<FileAgent, 'id'> = {
  call: undefined,
  name: undefined,
  words: undefined,
  first: undefined,
  last: undefined,
  bytes: 0,
}
