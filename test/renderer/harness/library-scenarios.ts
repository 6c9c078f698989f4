import { libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { SourceId } from '../../../src/shared/model/conversation/sources'
import { type MemoryContext, summaryOf } from './memory-home'
import { answered, called, returned, rowsOf, said } from './rows'

const hourMs = 3_600_000

/** A source, the projects of its conversations one after the other, and what their titles begin with. */
const systems: readonly (readonly [SourceId, readonly (string | null)[], readonly string[]])[] = [
  ['chibi', [null], ['import-gap', 'release-notes', 'seed-catalogue', 'house-rules']],
  [
    'voicemode',
    ['/home/mira/garden', '/home/mira/lines/tram/docs', '/home/mira/station/docs'],
    ['What should grow by the wall?', 'Öffne die Fahrpläne', 'how long is the night'],
  ],
  ['cycod', [null], ['Where does the gap start?', 'Explain the parser', '42 ways to sort']],
  ['fluux', [null], ['Port the parser to streams', '把旧的日志格式迁移', '#general']],
]

/** Conversations of four systems in turn, an hour between two; the first is the newest. */
export function systemContexts(number: number): readonly MemoryContext[] {
  const now = Date.now()
  return Array.from({ length: number }, (_, index) => {
    const [source, projects, titles] = systems[index % systems.length] ?? systems[0] ?? []
    if (source === undefined) throw new Error('there are no systems')
    const turn = Math.floor(index / systems.length)
    const title = `${titles?.[turn % titles.length]} ${index}`
    const summary = summaryOf(title, {
      source,
      key: libraryKeyOf(source, source === 'chibi' ? title.replaceAll(' ', '-') : `room-${index}`),
      project: projects?.[turn % projects.length] ?? null,
      updated: new Date(now - index * hourMs).toISOString(),
      ...(index === 5 ? { gone: true as const } : {}),
    })
    return { summary, rows: rowsOf([said(`About ${title}`), answered('An answer.')]) }
  })
}

/** A conversation of every system that Skein reads. */
export function everySystem(): readonly MemoryContext[] {
  const updated = new Date().toISOString()
  return SourceId.options.map((source) => {
    const key = libraryKeyOf(source, `of-${source}`)
    const summary = summaryOf(`Notes of ${source}`, { source, key, updated })
    return { summary, rows: rowsOf([said('A question.'), answered('An answer.')]) }
  })
}

/** Conversations of cycod that share a beginning and a title; each goes on in words of its own. */
export function forkContexts(number: number): readonly MemoryContext[] {
  const now = Date.now()
  return Array.from({ length: number }, (_, index) => {
    const summary = summaryOf('Find large files', {
      source: 'cycod',
      key: libraryKeyOf('cycod', `chat-history-${1_754_437_000_000 + index * 100_000}`),
      updated: new Date(now - (30 + index * 5) * hourMs).toISOString(),
    })
    const begin = [said('find large files'), answered('Which folder?')]
    return {
      summary,
      rows: rowsOf([...begin, said(`Look in folder ${index} as well`), answered('Done.')]),
      family: 'find large files',
    }
  })
}

const busyTools = ['read_file', 'write_file', 'grep_files', 'web_fetch'] as const
const busyModels = ['claude-sonnet-4.5', 'gpt-5.1-codex', 'gemini-2.5-pro'] as const

/** Conversations of the last weeks with models, usage, tools and failures. */
export function busyLibrary(): readonly MemoryContext[] {
  const now = Math.floor(Date.now() / 1000)
  return Array.from({ length: 18 }, (_, index) => {
    const name = `work-${index + 1}`
    const turns = Array.from({ length: 1 + ((index * 7) % 12) }, (_, turn) => {
      const at = index * 31 + turn * 17
      const tool = busyTools[at % busyTools.length] ?? 'read_file'
      const model = busyModels[at % busyModels.length] ?? ''
      const [input, output] = [2000 + ((at * 977) % 30_000), 100 + ((at * 131) % 2500)]
      const usage = { input, cached: Math.floor(input / 3), output, cost: (input + output) / 1e6 }
      const id = `call-${index}-${turn}`
      return [
        said(`Question ${turn + 1}`),
        called(tool, { path: 'notes.md' }, id, { metadata: { model } }),
        returned(tool, at % 6 === 0 ? 'Error: no such file' : 'A line', id),
        answered(`Answer ${turn + 1}`, { metadata: { model, usage } }),
      ]
    }).flat()
    const startsAt = now - (index * index * 5 + 3) * 3600
    const projects = ['/home/mira/station-log', '/home/mira/tide-tables', null] as const
    const updated = new Date(startsAt * 1000).toISOString()
    const project = projects[index % projects.length] ?? null
    return {
      summary: summaryOf(name, { project, updated, created: updated }),
      rows: rowsOf(turns, { context: name, startsAt }),
    }
  })
}

/** Conversations of few entries: none, the same twice, and reasoning that its source keeps apart. */
export function bareContexts(): readonly MemoryContext[] {
  const once = [said('When is high water?'), answered('At 14:10.')]
  const reasoned = {
    source: 'codex',
    key: libraryKeyOf('codex', 'reasoned'),
    updated: new Date().toISOString(),
  } as const
  const thought = (content: string) => ({
    from: 'codex',
    to: 'user',
    entry_type: 'reasoning',
    content,
  })
  return [
    { summary: summaryOf('bare'), rows: [] },
    { summary: summaryOf('once'), rows: rowsOf(once) },
    { summary: summaryOf('again'), rows: rowsOf(once) },
    {
      summary: summaryOf('reasoned', reasoned),
      rows: rowsOf([
        said('When is high water?'),
        thought('First the table. **The tide is late by an hour.**'),
        thought(''),
        answered('At 15:10.', { from: 'codex' }),
      ]),
    },
  ]
}
