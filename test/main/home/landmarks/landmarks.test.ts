import { expect, it } from 'vitest'
import { openFinding } from '../../../../src/main/home/finding/finding'
import type {
  LandmarkQuestion,
  LandmarkReply,
} from '../../../../src/main/home/landmarks/landmark-work'
import { openLandmarks } from '../../../../src/main/home/landmarks/landmarks'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { WayName } from '../../../../src/shared/model/conversation/transcript'

/** Landmarks whose questions stay without an answer, and the signals of these. */
function unanswered() {
  const signals: (AbortSignal | undefined)[] = []
  const landmarks = openLandmarks({
    home: '/home',
    histories: { now: async () => undefined, faultOf: () => undefined },
    holder: {
      ask(_: LandmarkQuestion, signal?: AbortSignal) {
        signals.push(signal)
        return new Promise<LandmarkReply>(() => undefined)
      },
      close: async () => undefined,
    },
  })
  const ended = () => signals.map((signal) => signal?.aborted)
  return { landmarks, ended, asked: () => expect.poll(() => signals.length) }
}

const tide = { key: libraryKeyOf('chibi', 'tide') }

it('stops to look for places where another conversation, or another way, is asked about', async () => {
  const { landmarks, ended, asked } = unanswered()
  void landmarks.places(tide, [{ number: 1 }])
  void landmarks.places(tide, [{ number: 2 }])
  await asked().toBe(2)
  void landmarks.list(tide, 0)
  await asked().toBe(3)
  expect(ended()).toEqual([false, false, false])
  void landmarks.places({ ...tide, way: WayName.parse('w') }, [{ number: 1 }])
  await asked().toBe(4)
  expect(ended()).toEqual([true, true, false, false])
  void landmarks.list({ key: libraryKeyOf('chibi', 'ebb') }, 0)
  await asked().toBe(5)
  expect(ended()).toEqual([true, true, true, true, false])
})

it('ends what is asked as cancelled where it is closed meanwhile, and tells other faults as they are', async () => {
  const waiting: ((error: Error) => void)[] = []
  const deps = {
    home: '/home',
    histories: { now: async () => undefined, faultOf: () => undefined },
  }
  const asked = () => new Promise<never>((_, reject) => waiting.push(reject))
  const failAll = (words: string) => {
    for (const reject of waiting.splice(0)) reject(new Error(words))
  }
  const close = async () => failAll('a worker thread ended')
  const landmarks = openLandmarks({ ...deps, holder: { ask: asked, close } })
  const finding = openFinding({ ...deps, finder: { ask: asked, close } })
  const wanted = { text: 'sea', matchesCase: false, wantsWholeWords: false, isRegex: false }
  for (const [part, ask] of [
    [landmarks, () => landmarks.list(tide, 0)],
    [finding, () => finding.find({ ...tide, wanted })],
  ] as const) {
    const failing = expect(ask()).rejects.toThrow('out of memory')
    await expect.poll(() => waiting.length).toBe(1)
    failAll('out of memory')
    await failing
    const ended = expect(ask()).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => waiting.length).toBe(1)
    await part.close()
    await ended
  }
})
