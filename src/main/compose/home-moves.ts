import type { AppStatus, HomeChoice } from '../../shared/ipc/app/app'
import { AppError } from '../../shared/model/basics/errors'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Home } from '../home/home'
import { closeHomeState, type HomeState } from './home-state'

/** Dependencies of moving between homes. */
export interface HomeMovesDeps {
  readonly disk: Pick<Disk, 'stat'>
  readonly app: Pick<AppStatus, 'version' | 'platform'>
  readonly open: (home: string, isChosen: boolean, sample: boolean) => Promise<HomeState>
  /** The folder that is meant; undefined where a person was asked for one and named none. */
  readonly homeOf: (choice: HomeChoice) => Promise<string | undefined>
  /** Whether no other Skein has a home open; else that one comes to the front. */
  readonly claim: (home: string) => boolean
  readonly remember: (home: string) => Promise<unknown>
}

/** Shows where the window is now. */
type Arrived = (status: AppStatus, home: string, isAnother: boolean) => Promise<void>

/** Home of the app window, and the way to another one. */
export interface HomeMoves {
  /** @throws Error before the first place was gone to */
  now(): HomeState
  /** Gives the home that is open. @throws AppError `not-found` while none is */
  home(): Home
  /** Returns true while a home is left for another one: what is open of it ends. */
  isMoving(): boolean
  /** Goes to the first place. */
  begin(home: string, isChosen: boolean, sample: boolean): Promise<HomeState>
  /** Looks again at a home that could not be read: what stood in the way may be gone. */
  status(): Promise<AppStatus>
  /**
   * Opens another home; the runs of the one before are stopped, and what came is on the disk. Where it is open already
   * nothing changes: conversations of it are still followed.
   *
   * @param arrived resolves when the window shows it
   * @throws AppError `exists`: another Skein has it open
   */
  move(choice: HomeChoice, arrived: Arrived): Promise<AppStatus>
}

/** Makes the moves between homes, one at a time. No home is open until `begin`. */
export function openHomeMoves(deps: HomeMovesDeps): HomeMoves {
  const { disk, open } = deps
  let place: HomeState | undefined
  let isMoving = false
  /** One after the other: two homes that were opened at once would leave one of them open for ever. */
  const turns = new Mutex()

  function now(): HomeState {
    if (place === undefined) throw new Error('no home was opened yet')
    return place
  }

  async function status(): Promise<AppStatus> {
    // What stood in the way may be gone: a folder that was made readable, a disk that was plugged in.
    if (now().problem !== undefined) place = await open(now().home, true, now().sample)
    const { home, sample, session, problem } = now()
    const contexts = await session?.contexts.count().catch(() => 0)
    return {
      phase: problem !== undefined ? 'unreadable' : session === undefined ? 'first-run' : 'ready',
      home: {
        path: home,
        shown: shownPath(home),
        exists: (await disk.stat(home).catch(() => undefined)) !== undefined,
        contexts: contexts ?? 0,
        sample,
      },
      ...(problem === undefined ? {} : { problem }),
      ...deps.app,
    }
  }

  async function move(choice: HomeChoice, arrived: Arrived): Promise<AppStatus> {
    const home = await deps.homeOf(choice)
    if (home === undefined) return status()
    const isSample = choice.type === 'sample'
    const isAnother = home !== now().home
    if (!isAnother && now().session !== undefined && isSample === now().sample) {
      if (!isSample) await deps.remember(home)
      return status()
    }
    if (!deps.claim(home))
      throw new AppError(
        'exists',
        `${shownPath(home)} is open in another Skein; it is in front now.`,
      )
    isMoving = true
    try {
      await closeHomeState(now())
      place = await open(home, true, isSample)
    } finally {
      isMoving = false
    }
    if (place.problem === undefined && !isSample) await deps.remember(home)
    const there = await status()
    await arrived(there, home, isAnother)
    return there
  }

  return {
    now,
    home() {
      const { session } = now()
      if (session === undefined) throw new AppError('not-found', 'No home is open.')
      return session
    },
    isMoving: () => isMoving,
    async begin(home, isChosen, sample) {
      place = await open(home, isChosen, sample)
      return place
    },
    status: () => turns.run(status),
    move: (choice, arrived) => turns.run(() => move(choice, arrived)),
  }
}
