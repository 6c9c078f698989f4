import { expect, it } from 'vitest'
import { openHomeMoves } from '../../../src/main/compose/home-moves'
import type { HomeState } from '../../../src/main/compose/home-state'
import type { HomeChoice } from '../../../src/shared/ipc/app/app'
import { memoryDisk } from '../../support/memory-disk'

/** A window whose places are counted. `broken` homes cannot be read, `elsewhere` are open in another Skein. */
function moving(
  options: {
    broken?: readonly string[]
    elsewhere?: readonly string[]
    opening?: (home: string) => void
  } = {},
) {
  const told: string[] = []
  const broken = new Set(options.broken)
  const place = (home: string, isChosen: boolean, sample: boolean): HomeState => {
    const problem = broken.has(home) ? 'It cannot be read.' : undefined
    const session = {
      contexts: { count: async () => 3 },
      close: async () => void told.push(`close ${home}`),
    }
    const opened = isChosen && problem === undefined ? session : undefined
    // What moving asks of a place, and nothing else.
    return { home, sample, problem, session: opened, plugins: undefined } as unknown as HomeState
  }
  const it = openHomeMoves({
    disk: memoryDisk(),
    app: { version: '1', platform: 'linux' },
    async open(home, isChosen, sample) {
      told.push(`open ${home}`)
      options.opening?.(home)
      return place(home, isChosen, sample)
    },
    homeOf: async ({ type }) => ({ default: '/a', choose: '/b', sample: '/sample' })[type],
    claim: (home) => options.elsewhere?.includes(home) !== true,
    remember: async (home) => void told.push(`remember ${home}`),
  })
  const move = (choice: HomeChoice) =>
    it.move(
      choice,
      async ({ phase }, home, isAnother) =>
        void told.push(`${phase} ${home} ${isAnother ? 'anew' : 'here'}`),
    )
  return { ...it, move, told, mend: (home: string) => broken.delete(home) }
}

it('leaves a home that is open already alone, and remembers that it was chosen', async () => {
  const { begin, move, told } = moving()
  await begin('/a', true, false)
  expect(await move({ type: 'default' })).toMatchObject({ phase: 'ready', home: { contexts: 3 } })
  expect(told).toEqual(['open /a', 'remember /a'])
})

it('says while one home is left for another, also where that fails', async () => {
  const said: boolean[] = []
  const { begin, move, isMoving, told } = moving({
    opening(home) {
      said.push(isMoving())
      if (home === '/b') throw new Error('It is gone.')
    },
  })
  await begin('/a', true, false)
  await expect(move({ type: 'choose' })).rejects.toThrow('It is gone.')
  said.push(isMoving())
  await move({ type: 'sample' })
  said.push(isMoving())
  expect(said).toEqual([false, true, false, true, false])
  expect(told).toContain('ready /sample anew')
})

it('opens a home that stood there unchosen', async () => {
  const { begin, status, move, told } = moving()
  await begin('/a', false, false)
  expect(await status()).toMatchObject({ phase: 'first-run' })
  await move({ type: 'default' })
  expect(told).toEqual(['open /a', 'open /a', 'remember /a', 'ready /a here'])
})

it('ends what goes on in one home before another is opened, one after the other', async () => {
  const { begin, move, now, told } = moving()
  await begin('/a', true, false)
  await Promise.all([move({ type: 'choose' }), move({ type: 'sample' })])
  expect(told).toEqual([
    'open /a',
    ...['close /a', 'open /b', 'remember /b', 'ready /b anew'],
    ...['close /b', 'open /sample', 'ready /sample anew'],
  ])
  expect(now()).toMatchObject({ home: '/sample', sample: true })
})

it('stays where it is when another Skein has the home open', async () => {
  const { begin, move, now, told } = moving({ elsewhere: ['/b'] })
  await begin('/a', true, false)
  await expect(move({ type: 'choose' })).rejects.toMatchObject({ code: 'exists' })
  expect(now().home).toBe('/a')
  expect(told).toEqual(['open /a'])
})

it('does not remember a home that cannot be read, and opens it once it can be', async () => {
  const { begin, move, status, mend, told } = moving({ broken: ['/b'] })
  await begin('/a', true, false)
  expect(await move({ type: 'choose' })).toMatchObject({
    phase: 'unreadable',
    problem: 'It cannot be read.',
  })
  expect(told).not.toContain('remember /b')
  mend('/b')
  expect(await status()).toMatchObject({ phase: 'ready' })
})
