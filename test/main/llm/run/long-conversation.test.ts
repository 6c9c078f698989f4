import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import {
  type AdjustmentMemory,
  noAdjustments,
} from '../../../../src/main/settings/stored/request-adjustments'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { checkHome } from '../../../support/chibi-checker/home'
import { drawnSeed } from '../../../support/drawn-alike'
import type { RawServer } from '../../../support/raw-server'
import { refusal, scriptedServer } from '../../../support/scripted-server'
import {
  drawnScenario,
  type Mischance,
  mischances,
  type ServedRequest,
  strictChat,
  strictResponses,
} from '../../../support/strict-servers'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { gardenIn } from '../sent/garden'
import { realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
/** A sample; `SKEIN_TURNS=200` plays it all. */
const turns = Number(process.env.SKEIN_TURNS ?? 15)
let server: RawServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Makes a memory that keeps the concessions to one model alone. */
function oneMemory(): AdjustmentMemory {
  let kept: Awaited<ReturnType<AdjustmentMemory['read']>> = []
  return {
    ...noAdjustments,
    read: async () => kept,
    write: async (_baseUrl, _model, concessions) => {
      kept = concessions
    },
  }
}

/** Plays the turns; resolves to what the server did, and to what stands in the transcript. */
async function conversation(
  api: 'chat-completions' | 'responses',
  drawn: readonly [Mischance, ...Mischance[]],
) {
  const random = createRandom(drawnSeed)
  const served: ServedRequest[] = []
  let isLast = false
  const next = (): Mischance | undefined =>
    isLast || random.below(3) > 0 ? undefined : random.pick(drawn)
  const strict = api === 'responses' ? strictResponses() : strictChat()
  server = await scriptedServer(drawnScenario(strict, random, next, served))
  const home = path.join(temp(), 'home')
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'config.toml'), `[api]\nprotocol = "${api}"\n`)
  const memory = oneMemory()
  const outcomes: { outcome: string; from: number }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    isLast = turn === turns
    const from = served.length
    const person = new AbortController()
    const { end } = await realRun({
      home,
      url: server.url,
      text: `Message ${turn}.`,
      model: 'm',
      logs: turn % 2 === 0,
      memory,
      signal: person.signal,
      each: async ({ type }) => {
        if (type === 'delta' && served.at(-1)?.mischance === 'stopped') person.abort()
      },
    })
    outcomes.push({ outcome: end.outcome, from })
  }
  const garden = gardenIn(home, server)
  return { home, served, outcomes, garden, entries: await garden.entries() }
}

describe.each(['chat-completions', 'responses'] as const)(
  `a conversation of ${turns} turns with a strict server whose failures are drawn (%s)`,
  (api) => {
    it('never dies, and the transcript agrees with the log of the server', async () => {
      const { home, served, outcomes, garden, entries } = await conversation(
        api,
        mischances.filter((one) => one !== 'loading') as [Mischance],
      )
      expect(served.flatMap(({ faults }) => faults)).toEqual([])
      expect(outcomes.at(-1)?.outcome).toBe('complete')
      expect(checkHome(home)).toEqual([])
      // Something went wrong, and not always the same.
      expect(new Set(served.map(({ mischance }) => mischance)).size).toBeGreaterThan(4)

      const said = entries.filter(({ role }) => role === 'user').map(({ content }) => content)
      expect(said).toEqual(Array.from({ length: turns }, (_, at) => `Message ${at + 1}.`))
      expect(wholeAnswers(entries)).toEqual(wordsOf(served.filter(isWhole)))
      expect(entries.flatMap(callOf)).toEqual(served.filter(isWhole).flatMap(callsOf))
      for (const { saying } of served.filter(({ mischance }) => mischance === 'stopped'))
        if (saying !== undefined && saying.words !== '')
          expect(
            entries.some(
              ({ content, metadata }) => content !== '' && metadata?.interrupted === 'stopped',
            ),
          ).toBe(true)

      const last = JSON.stringify(served.at(-1)?.body)
      const answered = wordsOf(served.slice(0, -1).filter(isWhole))
      for (const words of [...said, ...answered])
        expect(last.split(JSON.stringify(words).slice(1, -1))).not.toHaveLength(1)
      const answers = entries.filter(({ metadata }) => metadata?.request !== undefined)
      for (const { id } of answers.slice(-3)) {
        const sent = await garden.reader().of('garden', id)
        expect(sent.match).toBe('exact')
        const bodies = served.map(({ body: { stream_options: _, ...body } }) => body)
        expect(bodies).toContainEqual(await garden.reader().body('garden', id))
      }
    })

    it('goes on whatever was guessed when a refusal said nothing', async () => {
      const { served, outcomes, home } = await conversation(api, ['loading', 'loading', 'stopped'])
      expect(served.some(({ faults }) => faults.length > 0)).toBe(true)
      outcomes.forEach(({ outcome, from }, turn) => {
        const requests = served.slice(from, outcomes[turn + 1]?.from)
        if (requests.every(({ mischance }) => mischance === undefined))
          expect(outcome).toBe('complete')
      })
      expect(served.flatMap(({ faults }) => faults)).not.toContain('it would be stored')
      expect(checkHome(home)).toEqual([])
    })
  },
)

/** Gone out to its end, with something in it. */
function isWhole({ saying, mischance }: ServedRequest): boolean {
  return saying !== undefined && mischance === undefined
}

function wordsOf(all: readonly ServedRequest[]): readonly string[] {
  return all.flatMap(({ saying }) => (saying?.words ? [saying.words] : []))
}

function wholeAnswers(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ role, content, metadata }) =>
    role === 'agent' && content !== '' && metadata?.interrupted === undefined ? [content] : [],
  )
}

function callOf(entry: Entry): readonly string[] {
  return entry.entry_type === 'tool_call' ? [`${entry.to} ${entry.content}`] : []
}

function callsOf({ saying }: ServedRequest): readonly string[] {
  return (saying?.calls ?? []).map(({ name, arguments: given }) => `${name} ${given}`)
}

it('thoughts that were left out once are sent again to a server that misses them', async () => {
  const api = strictChat()
  const call = { id: 'call_1', name: 'update_todos', arguments: '{"content":"- one"}' }
  const sayings = [
    { mark: '1', thought: 'I have to note this.', words: '', calls: [call] },
    { mark: '2', thought: 'Now I may speak.', words: 'Noted.', calls: [] },
    { mark: '3', thought: '', words: 'Still there.', calls: [] },
  ]
  server = await scriptedServer(({ body }) => {
    const faults = api.faultsIn(body)
    const saying = faults.length > 0 ? undefined : sayings.shift()
    if (saying === undefined) return refusal(400, faults.join(' '))
    api.gave(saying)
    return { steps: api.pieces(saying) }
  })
  const home = temp()
  const { url } = server
  await realRun({ home, url, text: 'Note it.', model: 'm' })
  const memory = oneMemory()
  await memory.write(url, 'm', [{ type: 'without', what: 'thoughts' }])
  const { entries, end } = await realRun({ home, url, text: 'And?', model: 'm', memory })
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  expect(entries.at(-1)?.content).toBe('Still there.')
  expect(await memory.read(url, 'm')).toEqual([])
})
