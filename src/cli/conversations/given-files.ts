import type { Disk } from '../../main/disk/interface/disk'
import { skeinFolder } from '../../main/settings/user-folders'
import type { CommandContext } from '../command/command'

/** Files of titles, tags and labels that were given in Skein: where they lie, and where their faults go. */
export interface GivenFiles {
  readonly disk: Disk
  readonly home: string | undefined
  readonly userFolder: string
  readonly note: (words: string) => void
}

/** Parts of a command's context that lead to such files. */
export interface GivenContext extends Pick<CommandContext, 'disk' | 'environment'> {
  readonly output: Pick<CommandContext['output'], 'say'>
}

/** Returns where the files of a home's contexts and of other systems' conversations lie. */
export function givenFiles(
  { disk, environment, output }: GivenContext,
  home: string | undefined,
): GivenFiles {
  return { disk, home, userFolder: skeinFolder(environment), note: (words) => output.say(words) }
}
