import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import type { Practice } from '../../../../src/main/practice/launch'
import { type BadProxy, badProxy } from '../../../support/bad-proxy'
import { checkHome } from '../../../support/chibi-checker/home'
import { drawnSeed } from '../../../support/drawn-alike'
import { startPracticeForTests } from '../../../support/practice'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type RealRunOptions, realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
const proxies: { independent?: BadProxy; practice?: BadProxy } = {}
let mock: LLMock
let practice: Practice

// In both servers' words: the practice model does what the message says, the other one what is fixed for it.
const talk = 'Tell me much. /reason /fast /long 2'
const calls =
  'Do both. /fast\n/tool update_todos {"content":"- [ ] beds"}\n/tool update_goals {"content":"A garden"}'

beforeAll(async () => {
  practice = await startPracticeForTests()
  mock = await LLMock.create({ port: 0, journalMaxEntries: 100 })
  mock.onMessage(talk, { content: 'Much is to be told. '.repeat(60), reasoning: 'Hm. '.repeat(20) })
  mock.on(
    { userMessage: calls, hasToolResult: false },
    {
      content: 'Both.',
      toolCalls: [
        { name: 'update_todos', arguments: '{"content":"- [ ] beds"}' },
        { name: 'update_goals', arguments: '{"content":"A garden"}' },
      ],
    },
  )
  mock.on({ userMessage: calls, hasToolResult: true }, { content: 'Both are done.' })
  mock.onMessage('go on', { content: 'Going on.' })
  proxies.independent = await badProxy(mock.url)
  proxies.practice = await badProxy(new URL(practice.url).origin)
})
afterAll(async () => {
  await proxies.independent?.close()
  await proxies.practice?.close()
  await mock.stop()
  await practice.close()
})

/**
 * Places of a cut, and rounds of changes, for each server. More by hand:
 * `SKEIN_SEED=random SKEIN_TRIALS=500 npx vitest run …/independent-server-bytes.test.ts`
 */
const trials = Number(process.env.SKEIN_TRIALS ?? 6)

describe.each(['independent', 'practice'] as const)(
  'bytes on their way from the %s server',
  (name) => {
    let proxy: BadProxy
    beforeEach(() => {
      const one = proxies[name]
      if (one === undefined) throw new Error('the proxy is not there')
      proxy = one
      proxy.mischief = {}
    })

    const ask = (home: string, text: string, more: Partial<RealRunOptions> = {}) =>
      realRun({ home, text, url: `${proxy.url}/v1`, ...more })

    /** Whatever happened, the home is whole and the conversation can go on. */
    async function goesOn(home: string): Promise<void> {
      expect(checkHome(home)).toEqual([])
      proxy.mischief = {}
      expect((await ask(home, 'go on')).end).toEqual({ type: 'ended', outcome: 'complete' })
      expect(checkHome(home)).toEqual([])
    }

    it('come one by one', async () => {
      const home = temp()
      proxy.mischief = { pieceBytes: 1 }
      expect((await ask(home, calls)).end).toEqual({ type: 'ended', outcome: 'complete' })
      proxy.mischief = { pieceBytes: 7 }
      const { end, streamed } = await ask(home, talk)
      expect(end).toEqual({ type: 'ended', outcome: 'complete' })
      expect(streamed.reasoning).not.toBe('')
      await goesOn(home)
    })

    it.each(['reset', 'end'] as const)('are cut anywhere, by %s', async (cutBy) => {
      const home = temp()
      const whole = await answerBytes(home)
      const step = Math.ceil(whole / trials)
      const first = 1 + createRandom(drawnSeed).below(step)
      for (let cutAt = first; cutAt < whole; cutAt += step) {
        proxy.mischief = { cutAt, cutBy }
        const { end } = await ask(home, calls)
        expect(['failed', 'complete'], `cut at byte ${cutAt}`).toContain(end.outcome)
        expect(checkHome(home), `cut at byte ${cutAt}`).toEqual([])
      }
      await goesOn(home)
    })

    it('stop in the middle, for ever', async () => {
      const home = temp()
      for (const stallAt of [0, 150, 700]) {
        proxy.mischief = { stallAt }
        const { end } = await ask(home, calls, { limits: { firstByteMs: 400, silenceMs: 300 } })
        expect(end).toMatchObject({ outcome: 'failed', failure: { kind: 'stalled' } })
      }
      await goesOn(home)
    })

    it('are changed anywhere', async () => {
      const home = temp()
      const random = createRandom(drawnSeed)
      for (let round = 0; round < trials; round++) {
        proxy.mischief = {
          change(bytes) {
            const changed = Buffer.from(bytes)
            for (let times = 0; times < 3; times++)
              changed[random.below(changed.length)] = random.below(256)
            return changed
          },
        }
        await ask(home, round % 2 === 0 ? calls : talk, {
          limits: { firstByteMs: 500, silenceMs: 300 },
        })
        expect(checkHome(home), `after round ${round}`).toEqual([])
      }
      await goesOn(home)
    })

    it('are no JSON in one piece', async () => {
      const home = temp()
      for (const broken of ['"choices":[{', '"delta":{', '"finish_reason":']) {
        proxy.mischief = {
          change: (bytes) =>
            Buffer.from(
              bytes.toString('latin1').replace(broken, '<'.repeat(broken.length)),
              'latin1',
            ),
        }
        const { end } = await ask(home, talk)
        expect(end, broken).toMatchObject({ outcome: 'failed' })
      }
      await goesOn(home)
    })

    /** How long an answer with calls is on the wire. */
    async function answerBytes(home: string): Promise<number> {
      let bytes = 0
      proxy.mischief = {
        change(one) {
          bytes += one.length
          return one
        },
      }
      await ask(home, calls)
      return bytes
    }
  },
)
