import { expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { playTime } from '../../../../src/renderer/transcript/speech/play-time'
import { isSilence, speechOf, tracksOf } from '../../../../src/renderer/transcript/speech/speech'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { answered, type RowDraft, rowsOf, said } from '../../harness/rows'

function entryOf(draft: RowDraft): Entry {
  const [row] = rowsOf([draft])
  if (row?.type !== 'entry') throw new Error('not an entry')
  return row.entry
}

it('tells how something was said: by what, over what, how long it took', () => {
  const entry = entryOf({
    content: 'Nearly midnight.',
    metadata: {
      model: 'tts-1',
      audio: { file: 'a_tts.mp3', duration_ms: 1100 },
      speech: {
        type: 'tts',
        voice: 'af_sky',
        provider: 'kokoro',
        transport: 'local',
        timing: 'ttfa 0.5s, gen 0.8s, play 1.1s',
        is_fallback: true,
        fallback_reason: 'OpenAI did not answer',
      },
    },
  })
  expect(speechOf(entry)).toEqual({
    kind: 'spoken',
    voice: 'af_sky',
    words: [
      'tts-1',
      'kokoro',
      'local',
      'ttfa 0.5s, gen 0.8s, play 1.1s',
      'fallback: OpenAI did not answer',
    ],
    audio: { file: 'a_tts.mp3', durationMs: 1100 },
    error: undefined,
    facts: [{ name: 'Length', value: '1.1 s' }],
  })
})

it('tells the error, the language, the emotion, lengths and waits, as far as they are what they must be', () => {
  const speech = {
    type: 'stt',
    error: 'timeout\nafter 30 s',
    language: 'de',
    emotion: 'calm',
    time_to_first_audio: 0.523,
    generation_time: -1,
    playback_time: 'x',
    transcription_time: 5.333000183105469,
    total_turnaround_time: 7,
    audio_format: 'pcm',
    provider_url: 'http://127.0.0.1:2022/v1',
    silence_detection: { enabled: true, vad_aggressiveness: 2, silence_threshold_ms: 1000 },
  }
  const found = speechOf(entryOf({ metadata: { speech, raw_fields: { duration_ms: 2500 } } }))
  expect([found?.error, found?.facts.map(({ name, value }) => `${name}: ${value}`)]).toEqual([
    'timeout…',
    [
      'Language: de',
      'Emotion: calm',
      'Length: 2.5 s',
      'First sound after: 0.52 s',
      'Transcribed in: 5.33 s',
      'Turnaround: 7 s',
      'Format: pcm',
      'Provider: http://127.0.0.1:2022/v1',
      'Silence detection: on, level 2, ends after 1 s',
    ],
  ])
  const off = entryOf({ metadata: { speech: { silence_detection: { enabled: false } } } })
  expect(speechOf(off)?.facts).toEqual([{ name: 'Silence detection', value: 'off' }])
})

it('tells nothing of what was not said aloud, or has another shape', () => {
  expect(speechOf(entryOf({ metadata: { model: 'm' } }))).toBeUndefined()
  expect(speechOf(entryOf({ metadata: { speech: 'x', audio: 'y' } }))).toBeUndefined()
  expect(
    speechOf(entryOf({ metadata: { speech: { provider: 7, timing: '' }, audio: { file: '' } } })),
  ).toEqual({
    kind: 'spoken',
    voice: undefined,
    words: [],
    audio: undefined,
    error: undefined,
    facts: [],
  })
  for (const duration_ms of [-1, 0, 1e12, Number.NaN, '5'])
    expect(speechOf(entryOf({ metadata: { audio: { file: 'a', duration_ms } } }))?.audio).toEqual({
      file: 'a',
      durationMs: undefined,
    })
})

it('knows silence by the words of voicemode, and not by the same words elsewhere', () => {
  const content = '[no speech detected]'
  expect(isSilence(entryOf({ content, metadata: { speech: { type: 'stt' } } }))).toBe(true)
  expect(isSilence(entryOf({ content }))).toBe(false)
})

it('plays what has a recording, in the order of the transcript', () => {
  const sound = (file: string) => ({ speech: {}, audio: { file } })
  const items = buildItems(
    rowsOf([
      said('one', { metadata: sound('1.wav') }),
      answered('two'),
      answered('three', { metadata: sound('3.mp3') }),
    ]),
    { hasBefore: false, shownAs: new Map() },
  )
  const tracks = tracksOf(items, LibraryKey.parse('voicemode:c'))
  expect(tracks.map(({ key, name }) => [key, name])).toEqual([
    ['voicemode:c', '1.wav'],
    ['voicemode:c', '3.mp3'],
  ])
  expect(tracks[0]?.said).toMatch(/^what was said at \d/)
})

it.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [69_000, '1:09'],
  [3_729_000, '1:02:09'],
  [-5, '0:00'],
])('shows %d ms as %s', (ms, shown) => {
  expect(playTime(ms)).toBe(shown)
})
