import type { LucideIcon } from 'lucide-react'
import type { ShownKeys } from './command-keys'

/** Command that the composer lists after a slash. */
export interface ComposerCommand {
  readonly id: string
  readonly name: string
  readonly icon: LucideIcon
  /** As it is typed after the slash. */
  readonly slash: string
  /** Other words by which it is found. */
  readonly words?: string | undefined
  readonly keys?: ShownKeys | undefined
  /** It takes the open conversation out of the library. */
  readonly takesAway?: boolean | undefined
  readonly run: () => void
}
