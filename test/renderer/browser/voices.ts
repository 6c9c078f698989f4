import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RowDraft } from '../harness/rows'
import type { Harness } from '../harness/serve'
import { faultsInThemes } from './accessible'
import { openForeign } from './conversations'
import { atRest, openedAtEnd, withPage } from './page'

const samplesPerSecond = 8000

/** A second or more of a quiet tone, as a WAV file of 8-bit samples. */
function wav(seconds: number): Buffer {
  const samples = Math.round(seconds * samplesPerSecond)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(samplesPerSecond, 24)
  header.writeUInt32LE(samplesPerSecond, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  return Buffer.concat([
    header,
    Buffer.from(Uint8Array.from({ length: samples }, (_, at) => 128 + (at % 20))),
  ])
}

interface Utterance {
  readonly text: string
  readonly file?: string
  readonly seconds?: number
  readonly more?: object
}

function heard(said: Utterance): RowDraft {
  const speech = {
    type: 'stt',
    provider: 'whisper',
    transport: 'local',
    timing: 'record 3.2s, stt 1.4s',
  }
  return { from: 'user', to: 'voicemode', role: 'user', ...rowOf(said, 'whisper-1', speech) }
}

function spokenBy(said: Utterance): RowDraft {
  const speech = {
    type: 'tts',
    voice: 'nova',
    provider: 'openai',
    transport: 'local',
    timing: 'ttfa 1.2s, gen 2.3s, play 5.6s',
    ...said.more,
  }
  return { from: 'voicemode', to: 'user', role: 'agent', ...rowOf(said, 'tts-1', speech) }
}

function rowOf({ text, file, seconds }: Utterance, model: string, speech: object): RowDraft {
  const audio =
    file === undefined
      ? {}
      : { audio: seconds === undefined ? { file } : { file, duration_ms: seconds * 1000 } }
  return { content: text, metadata: { model, speech, ...audio } }
}

/** A conversation aloud in which all happens that can. */
const voiceRows: readonly RowDraft[] = [
  heard({
    text: 'Take me through the demo. Start with what people know.',
    file: '1.wav',
    seconds: 8,
  }),
  spokenBy({
    text: 'Then start with the gauge on the pier. Everybody has seen it.',
    file: '2.wav',
    seconds: 11,
  }),
  heard({ text: 'Should the graph be in local time?', file: '3.wav' }),
  spokenBy({ text: 'Put local time on the axis.', file: 'gone.mp3', seconds: 14 }),
  heard({ text: '[no speech detected]' }),
  spokenBy({
    text: 'Spoken, and not kept.',
    more: { is_fallback: true, fallback_reason: 'Kokoro did not answer' },
  }),
  heard({ text: 'Good, that is the title.', file: '4.wav', seconds: 2 }),
]

/** Serves recordings to the page as main does; returns what was asked for. */
async function serveSounds(
  page: Page,
  secondsOf: (name: string) => number | undefined,
): Promise<Request[]> {
  const asked: Request[] = []
  await page.route('**/audio/**', async (route) => {
    const request = route.request()
    asked.push(request)
    const url = new URL(request.url())
    const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
    const seconds = secondsOf(name)
    if (url.search === '?look') {
      const looked = [`~/.voicemode/audio/2025/06/${name}`, `~/.voicemode/audio/${name}`]
      const look = seconds === undefined ? { there: false, looked } : { there: true, looked: [] }
      return route.fulfill({ json: look })
    }
    const bytes = wav(seconds ?? 0)
    const [, from = ''] = /^bytes=(\d+)-/.exec((await request.allHeaders()).range ?? '') ?? []
    const start = Number(from)
    return route.fulfill({
      status: 206,
      body: bytes.subarray(start),
      headers: {
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      },
    })
  })
  return asked
}

const isGone = (name: string) => name === 'gone.mp3'
const voice = (page: Page) => openForeign(page, 'voicemode', 'walk-through', voiceRows)
const turns = (page: Page, name: string) =>
  page.getByRole('article', { name: new RegExp(`^${name}`) })
const play = /^Play what was said at/
const pause = /^Pause what was said at/

/** What was said aloud. */
export function voices(harness: () => Harness): void {
  describe('what was said aloud', () => {
    it('plays, pauses, and one at a time', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await serveSounds(page, (name) => (isGone(name) ? undefined : 8))
        await voice(page)
        const [first, second] = [turns(page, 'You').first(), turns(page, 'nova').first()]
        await first.getByRole('button', { name: play }).click()
        await first.getByRole('button', { name: pause }).waitFor()
        await page
          .getByText(/^0:0[1-7] \/ 0:08$/)
          .first()
          .waitFor()
        await second.getByRole('button', { name: play }).click()
        await second.getByRole('button', { name: pause }).waitFor()
        await expect.poll(() => page.getByRole('button', { name: pause }).count()).toBe(1)
        await second.getByRole('button', { name: pause }).click()
        await second.getByRole('button', { name: play }).waitFor()
        await page
          .getByRole('region', { name: 'Player' })
          .getByRole('button', { name: 'Stop' })
          .click()
        await expect.poll(() => page.getByRole('region', { name: 'Player' }).count()).toBe(0)
      }))

    it('tells on request what went wrong, in which language and mood, and how long it took', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await serveSounds(page, () => 8)
        const more = { error: 'Kokoro did not answer', emotion: 'calm', generation_time: 2.3 }
        const rows = [spokenBy({ text: 'Quiet.', file: '1.wav', more }), heard({ text: 'Yes.' })]
        await openForeign(page, 'voicemode', 'moods', rows)
        const turn = turns(page, 'nova').first()
        const show = turn.getByRole('button', { name: 'Show how it was said' })
        await show.press('Enter')
        const hide = turn.getByRole('button', { name: 'Hide how it was said' })
        await expect.poll(() => hide.getAttribute('aria-expanded')).toBe('true')
        await expect
          .poll(() => turn.locator('.speech-facts').textContent())
          .toBe('ErrorKokoro did not answerEmotioncalmGenerated in2.3 s')
        expect(await faultsInThemes(page)).toEqual([])
        await hide.press('Enter')
        await expect.poll(() => turn.locator('.speech-facts').count()).toBe(0)
        const other = turns(page, 'You').first()
        await expect
          .poll(() => other.getByRole('button', { name: /how it was said/ }).count())
          .toBe(0)
      }))

    it('goes to another moment by the keyboard', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await serveSounds(page, (name) => (isGone(name) ? undefined : 8))
        await voice(page)
        const slider = turns(page, 'You').first().getByRole('slider')
        for (let press = 0; press < 3; press++) await slider.press('ArrowRight')
        await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0:03 of 0:08')
        await page.keyboard.press('Home')
        await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0:00 of 0:08')
        await expect.poll(() => page.getByText('Take me through the demo.').isVisible()).toBe(true)
      }))

    it('says that a recording is not there, and where it was looked for', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        const asked = await serveSounds(page, (name) => (isGone(name) ? undefined : 8))
        await voice(page)
        const words = turns(page, 'nova').getByText('The recording is missing')
        await words.waitFor()
        await expect
          .poll(() => words.textContent())
          .toBe(
            'The recording is missing. Looked for: ~/.voicemode/audio/2025/06/gone.mp3 and ~/.voicemode/audio/gone.mp3',
          )
        // Looking reads no sound.
        expect(asked.every((request) => request.url().endsWith('?look'))).toBe(true)
        await page.getByText('fallback: Kokoro did not answer').waitFor()
        await turns(page, 'Nothing heard').waitFor()
      }))

    it('plays all by itself, over the one that is missing, and marks the line', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await serveSounds(page, (name) => (isGone(name) ? undefined : name === '4.wav' ? 60 : 0.4))
        await voice(page)
        await turns(page, 'nova')
          .first()
          .getByRole('button', { name: 'Play all from here' })
          .click()
        const last = turns(page, 'You').last()
        await last.getByRole('button', { name: pause }).waitFor()
        await page.getByRole('button', { name: '5 of 5, playing all' }).waitFor()
        await expect.poll(() => page.locator('.sounding [data-item]').count()).toBe(1)
        await page
          .getByRole('region', { name: 'Player' })
          .getByRole('button', { name: 'Stop' })
          .click()
        await expect.poll(() => page.locator('.sounding').count()).toBe(0)
      }))

    it('brings the next one into view, unless the reader scrolled away', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        const rows = Array.from({ length: 60 }, (_, index) =>
          (index % 2 === 0 ? heard : spokenBy)({
            text: `line ${index}. ${'and on '.repeat(60)}`,
            file: `${index}.wav`,
          }),
        )
        // The later ones are long enough to be looked at on a slow machine as well.
        await serveSounds(page, (name) => (Number.parseInt(name, 10) < 9 ? 0.3 : 2))
        await openForeign(page, 'voicemode', 'long-talk', rows)
        await openedAtEnd(page)
        const feed = page.getByRole('feed')
        const top = () => feed.evaluate((element) => element.scrollTop)
        const playing = async () => {
          const name = await page
            .getByRole('button', { name: / of 60, playing all$/ })
            .textContent()
          return Number.parseInt(name ?? '', 10)
        }
        await feed.evaluate((element) => element.scrollTo(0, 0))
        await page.getByRole('button', { name: 'Play all from here' }).first().click()
        await expect.poll(playing).toBeGreaterThanOrEqual(9)
        await expect.poll(top).toBeGreaterThan(200)
        await feed.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
        const left = await atRest(page, top)
        const before = await playing()
        await expect.poll(playing).toBeGreaterThanOrEqual(before + 2)
        expect(await top()).toBe(left)
      }))

    it('ends when another conversation is opened', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await serveSounds(page, () => 8)
        await voice(page)
        await turns(page, 'You').first().getByRole('button', { name: play }).click()
        await page.getByRole('region', { name: 'Player' }).waitFor()
        await page.getByRole('option', { name: /^event-bus-types/ }).click()
        await page.getByRole('heading', { level: 1, name: 'event-bus-types' }).waitFor()
        await page.getByRole('region', { name: 'Player' }).waitFor({ state: 'detached' })
      }))

    it('has no serious fault of accessibility, light and dark', () =>
      withPage(harness(), { scenario: 'empty' }, async (page) => {
        await serveSounds(page, (name) => (isGone(name) ? undefined : 8))
        await voice(page)
        await turns(page, 'You').first().getByRole('button', { name: play }).click()
        await page.getByRole('region', { name: 'Player' }).waitFor()
        expect(await faultsInThemes(page)).toEqual([])
      }))
  })
}
