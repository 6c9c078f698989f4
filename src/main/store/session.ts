import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../disk/disk'
import { readSmallText } from '../disk/read'
import type { HomePaths } from './home'

const Session = z.looseObject({
  implied_context: z.string().nullish(),
  previous_context: z.string().nullish(),
})
/** Up to chibi 0.5.1, state.json said it. */
const OldState = z.looseObject({
  current_context: z.string().nullish(),
  previous_context: z.string().nullish(),
})

/** Which context chibi takes where none is named, and which it took before. */
export interface HomeSession {
  readonly current: string | undefined
  readonly previous: string | undefined
}

/** Reads session.json, else what state.json says; nothing where neither tells or what tells is damaged. @throws DiskError */
export async function readSession(disk: Disk, paths: HomePaths): Promise<HomeSession> {
  const text = await readSmallText(disk, path.join(paths.home, 'session.json'))
  if (text !== undefined) {
    const { implied_context, previous_context } = Session.safeParse(parsed(text)).data ?? {}
    return { current: implied_context ?? undefined, previous: previous_context ?? undefined }
  }
  const state = OldState.safeParse(parsed((await readSmallText(disk, paths.state)) ?? '')).data
  return {
    current: state?.current_context ?? undefined,
    previous: state?.previous_context ?? undefined,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // Damaged: chibi begins anew with it, and it is not ours to mend.
  }
}
