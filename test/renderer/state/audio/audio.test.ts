import { describe, expect, it } from 'vitest'
import {
  createAudioStore,
  recordingKey,
  type Track,
} from '../../../../src/renderer/state/audio/audio'
import type { SoundPlayer } from '../../../../src/renderer/state/audio/sound-player'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { quiet } from '../../../support/quiet'

const key = LibraryKey.parse('voicemode:c')
const track = (name: string): Track => ({
  key,
  itemKey: `item ${name}`,
  name,
  durationMs: 4000,
  said: 'what was said',
})
const [one, two, three] = [track('1.mp3'), track('2.mp3'), track('3.mp3')]

/** A loudspeaker that keeps a list of what it was told, and a folder of recordings. */
function studio(missing: readonly string[] = []) {
  const acts: string[] = []
  const asked: string[] = []
  const silent = new Set<string>()
  let open = ''
  const sound: SoundPlayer = {
    onChange: () => {},
    open(url, fromMs, speed) {
      open = url
      acts.push(`open ${url.split('/').at(-1)} ${fromMs} ${speed}`)
    },
    async play() {
      acts.push('play')
      return !silent.has(open.split('/').at(-1) ?? '')
    },
    pause: () => void acts.push('pause'),
    seek: (ms) => void acts.push(`seek ${ms}`),
    setSpeed: (speed) => void acts.push(`speed ${speed}`),
    close: () => void acts.push('close'),
  }
  const store = createAudioStore({
    openSound: () => sound,
    async ask(url) {
      asked.push(url)
      const name = decodeURIComponent(url.split('/').at(-1)?.replace('?look', '') ?? '')
      return missing.includes(name)
        ? { there: false, looked: [`~/v/audio/${name}`] }
        : { there: true, looked: [] }
    },
  })
  store.getState().setTracks([one, two, three])
  return { store, sound, acts, asked, silent, now: () => store.getState() }
}

describe('the player', () => {
  it('plays, pauses and goes on', async () => {
    const { now, acts, sound } = studio()
    now().toggle(one)
    expect(now().phase).toBe('loading')
    await quiet()
    expect([now().phase, now().current, acts]).toEqual(['playing', one, ['open 1.mp3 0 1', 'play']])
    sound.onChange({ type: 'duration', ms: 4321 })
    sound.onChange({ type: 'position', ms: 1200 })
    expect([now().positionMs, now().durationMs]).toEqual([1200, 4321])
    // It stays known when another one plays.
    expect(now().looks[recordingKey(one)]?.durationMs).toBe(4321)
    now().toggle(one)
    expect([now().phase, acts.at(-1)]).toEqual(['paused', 'pause'])
    now().toggle(one)
    await quiet()
    expect([now().phase, acts.at(-1)]).toEqual(['playing', 'play'])
  })

  it('plays one at a time', async () => {
    const { now, acts } = studio()
    now().toggle(one)
    await quiet()
    now().toggle(two)
    await quiet()
    expect(now().current).toBe(two)
    expect(acts).toEqual(['open 1.mp3 0 1', 'play', 'close', 'open 2.mp3 0 1', 'play'])
  })

  it('plays the last one of several that were pressed at once', async () => {
    const { now, acts } = studio()
    now().toggle(one)
    now().toggle(two)
    now().toggle(three)
    await quiet()
    expect(acts.filter((act) => act.startsWith('open'))).toEqual(['open 3.mp3 0 1'])
  })

  it('stays paused when it was paused before it was found, and plays on demand', async () => {
    const { now, acts } = studio()
    now().toggle(one)
    now().toggle(one)
    await quiet()
    expect([now().phase, acts.includes('play')]).toEqual(['paused', false])
    now().toggle(one)
    await quiet()
    expect([now().phase, acts.includes('play')]).toEqual(['playing', true])
  })

  it('ends when a recording has ended, and the next does not begin by itself', async () => {
    const { now, sound } = studio()
    now().toggle(one)
    await quiet()
    sound.onChange({ type: 'ended' })
    expect([now().phase, now().current]).toEqual(['rest', undefined])
  })

  it('waits at a moment of a recording that did not play, and goes to one of one that does', async () => {
    const { now, acts } = studio()
    now().seek(two, 1500)
    await quiet()
    expect([now().phase, now().positionMs, acts]).toEqual(['paused', 1500, ['open 2.mp3 1500 1']])
    now().toggle(two)
    await quiet()
    now().seek(two, 3000)
    expect([now().positionMs, acts.at(-1)]).toEqual([3000, 'seek 3000'])
  })

  it('keeps its speed for the next one', async () => {
    const { now, acts } = studio()
    now().setSpeed(1.5)
    now().toggle(one)
    await quiet()
    expect(acts).toEqual(['open 1.mp3 0 1.5', 'play'])
  })
})

describe('playing all', () => {
  it('goes on by itself to the end of the conversation', async () => {
    const { now, sound } = studio()
    now().playAllFrom(two)
    await quiet()
    expect([now().current, now().isPlayingAll]).toEqual([two, true])
    sound.onChange({ type: 'ended' })
    await quiet()
    expect([now().current, now().phase]).toEqual([three, 'playing'])
    sound.onChange({ type: 'ended' })
    expect([now().phase, now().isPlayingAll]).toEqual(['rest', false])
  })

  it('steps over recordings that are not there, or cannot be played', async () => {
    const { now, sound, silent } = studio(['2.mp3'])
    now().playAllFrom(one)
    await quiet()
    sound.onChange({ type: 'ended' })
    await quiet()
    expect(now().current).toBe(three)
    silent.add('1.mp3')
    now().playAllFrom(one)
    await quiet()
    expect(now().current).toBe(three)
    expect(now().looks[recordingKey(one)]).toMatchObject({ there: true, isBroken: true })
  })

  it('goes on with recordings of a page that came meanwhile', async () => {
    const { now, sound } = studio()
    const four = track('4.mp3')
    now().playAllFrom(three)
    await quiet()
    now().setTracks([one, two, three, four])
    sound.onChange({ type: 'ended' })
    await quiet()
    expect(now().current).toBe(four)
  })

  it('ends when another is played, and when it is stopped', async () => {
    const { now, acts } = studio()
    now().playAllFrom(one)
    await quiet()
    now().toggle(two)
    expect(now().isPlayingAll).toBe(false)
    now().playAllFrom(one)
    await quiet()
    now().stop()
    expect([now().phase, now().isPlayingAll, acts.at(-1)]).toEqual(['rest', false, 'close'])
  })

  it('steps to the next one and the one before', async () => {
    const { now } = studio(['2.mp3'])
    now().look(two)
    await quiet()
    now().playAllFrom(one)
    await quiet()
    now().step(1)
    expect(now().current).toBe(three)
    now().step(-1)
    expect(now().current).toBe(one)
  })
})

describe('a recording that is not there', () => {
  it('is told with the places where it was looked for, and looked for again when it is pressed', async () => {
    const missing = ['1.mp3']
    const { now, acts } = studio(missing)
    now().look(one)
    await quiet()
    expect(now().looks[recordingKey(one)]).toEqual({ there: false, looked: ['~/v/audio/1.mp3'] })
    now().toggle(one)
    await quiet()
    expect([now().phase, acts]).toEqual(['failed', []])
    missing.pop()
    now().toggle(one)
    await quiet()
    expect(now().phase).toBe('playing')
  })

  it('is looked for once, by its encoded names, and not at all with a name that is none', async () => {
    const { now, asked } = studio()
    const odd = track('a/b ?.mp3')
    now().look(odd)
    await quiet()
    now().look(odd)
    now().look(track('\ud800.mp3'))
    await quiet()
    expect(asked).toEqual(['audio/voicemode%3Ac/a%2Fb%20%3F.mp3?look'])
    expect(now().looks[recordingKey(track('\ud800.mp3'))]).toEqual({ there: false, looked: [] })
  })

  it('is told when it breaks off', async () => {
    const { now, sound } = studio()
    now().toggle(one)
    await quiet()
    sound.onChange({ type: 'broke' })
    await quiet()
    expect([now().phase, now().looks[recordingKey(one)]]).toEqual([
      'failed',
      { there: true, looked: [], isBroken: true },
    ])
  })
})
