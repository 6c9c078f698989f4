import { pushAll } from '../../../shared/model/basics/long-lists'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { FileLedger } from '../../../shared/model/conversation/transcript'
import type { Exportable, Exporter, ExportOptions } from '../parts/exporter'
import { isOnPath } from '../parts/rows'

/**
 * `skein read`'s shape for one conversation (or its family): `{conversations, files}`, the whole tree. Reads back
 * equal: `active` and `files` follow the entries, since they may be known only then.
 */
export const jsonExporter: Exporter = {
  id: 'json',
  extension: 'json',
  mediaType: 'application/json',
  branches: 'all',
  hasBranches: true,
  hasProject: true,
  hasTags: true,
  hasColor: true,
  hasLabels: true,
  hasOutputs: true,
  lostOf: () => [],
  async *write(conversation, options, signal) {
    const all =
      options.branches === 'all' ? [conversation, ...(options.family ?? [])] : [conversation]
    const files: FileLedger[] = []
    let before = '{"conversations":[\n'
    for (const one of all) {
      yield before
      yield* writeOne(one, one === conversation ? options : { branches: 'all' }, signal)
      pushAll(files, await one.files())
      before = ',\n'
    }
    yield `\n],"files":${JSON.stringify(files)}}\n`
  },
}

async function* writeOne(
  { rows, files: _, originals: _o, told: _t, active, ...head }: Exportable,
  options: ExportOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const title = options.title ?? head.title
  yield `${JSON.stringify({ ...head, title }).slice(0, -1)},"entries":[`
  const onPath = isOnPath(active)
  const ids: EntryId[] = []
  let before = '\n'
  for await (const row of rows) {
    signal.throwIfAborted()
    if (row.type !== 'entry') continue
    if (options.branches === 'active' && !onPath(row.entry.id)) continue
    if (active === undefined) ids.push(row.entry.id)
    yield before + JSON.stringify(row.entry)
    before = ',\n'
  }
  yield `\n],"active":${JSON.stringify(active ?? ids)}}`
}
