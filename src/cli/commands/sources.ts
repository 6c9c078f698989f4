import path from 'node:path'
import { shownPath } from '../../main/disk/interface/shown-path'
import type { HistoryReader } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import { pushAll } from '../../shared/model/basics/long-lists'
import { isoTime } from '../../shared/model/basics/time'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { SourceDrift } from '../../shared/model/drift/drift'
import type { Arguments } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { withLibraries } from '../conversations/libraries'
import { localDay } from '../terminal/local-time'
import { jsonOutput, terminalText } from '../terminal/output'
import { driftJson, driftText } from './sources/drift-text'
import { joinedDrift } from './sources/joined-drift'

interface SourceRoot {
  readonly path: string
  /** `ok`, `missing`, or why it cannot be read. */
  readonly state: string
  readonly conversations: number
  readonly bytes: number
  /** ISO 8601 in UTC: when a file of it changed last; null where that is not known. */
  readonly newest: string | null
}

interface Listed {
  readonly reader: HistoryReader
  readonly roots: readonly SourceRoot[]
  readonly drift: SourceDrift | undefined
}

/** Command `skein sources`. */
export const sourcesCommand: Command = {
  name: 'sources',
  synopsis: '[--check]',
  summary:
    'lists the systems that Skein reads, where it looks, what is there, and what is new in it',
  flags: ['check'],
  options: [
    [
      '--check',
      'reads what was not read yet, for types, fields and versions that Skein does not know',
    ],
  ],
  async run(context) {
    const { args, output } = context
    const roots = new Map<HistoryReader, readonly SourceRoot[]>()
    for (const reader of readers) roots.set(reader, await rootsOf(reader, context))
    const { drifts, isWhole } = await driftIn(context)
    const listed = [...roots].map(([reader, found]) => ({
      reader,
      roots: found,
      drift: joinedDrift(drifts.filter(({ source }) => source === reader.id)),
    }))
    if (args.json) await output.write(jsonOutput({ sources: listed.map(asJson) }))
    else for (const one of listed) await output.write(terminalText(textOf(one)))
    const states = listed.flatMap((one) => one.roots.map(({ state }) => state))
    const isRead = states.every((state) => state === 'ok' || state === 'missing')
    return isRead && isWhole ? 0 : 1
  },
}

function asJson({ reader: { id }, roots, drift }: Listed) {
  return { id, label: sourceLabel(id), roots, drift: drift === undefined ? null : driftJson(drift) }
}

function textOf({ reader: { id }, roots, drift }: Listed): string {
  const lines = roots.map(({ path: root, state, conversations, newest }) =>
    [
      sourceLabel(id).padEnd(15),
      String(conversations).padStart(6),
      (localDay(newest) ?? '').padEnd(10),
      `${shownPath(root)}${state === 'ok' ? '' : `  ${state}`}`,
    ].join('  '),
  )
  const text = lines.map((line) => `${line}\n`).join('')
  return drift === undefined ? text : `${text}${driftText(drift)}`
}

/** Finds what is new in the histories that were counted before; with `--check` all are counted first. */
function driftIn(context: CommandContext) {
  const isAsked = context.args.flags.check === true
  return withLibraries(context, async (libraries, isWhole) => {
    const drifts: SourceDrift[] = []
    const unread: string[] = []
    for (const library of libraries) {
      const rows = isAsked ? await library.all(true, context.signal) : []
      for (const { key, unreadable } of rows)
        if (unreadable !== undefined) unread.push(`${key} was not checked: ${unreadable}`)
      pushAll(drifts, await library.drift(context.signal))
    }
    for (const words of unread) context.output.say(words)
    return { drifts, isWhole: unread.length === 0 && isWhole() }
  })
}

/** Lists where a source's histories are looked for, and what is there. */
async function rootsOf(
  reader: HistoryReader,
  context: CommandContext,
): Promise<readonly SourceRoot[]> {
  const found: SourceRoot[] = []
  for (const root of namedRoots(reader, context.args))
    found.push(await lookAt(reader, root, context))
  return found
}

function namedRoots(reader: HistoryReader, args: Arguments): readonly string[] {
  return args.roots
    .filter(({ source, backup }) => source === reader.id && backup === undefined)
    .map((root) => root.path)
}

async function lookAt(
  reader: HistoryReader,
  root: string,
  { disk, signal }: CommandContext,
): Promise<SourceRoot> {
  const folder = path.resolve(root)
  let conversations = 0
  let bytes = 0
  let newestMs: number | undefined
  const found = (state: string): SourceRoot => {
    const newest = newestMs === undefined ? null : isoTime(newestMs / 1000)
    return { path: folder, state, conversations, bytes, newest }
  }
  try {
    if ((await disk.stat(folder)) === undefined) return found('missing')
    for await (const ref of reader.list(folder, disk, signal)) {
      conversations += 1
      bytes += ref.bytes
      if (ref.updatedAtMs !== undefined) newestMs = Math.max(newestMs ?? 0, ref.updatedAtMs)
    }
    return found('ok')
  } catch (error) {
    // One root that cannot be read must not hide the others.
    return found(error instanceof Error ? error.message : String(error))
  }
}
