import type { LucideIcon } from 'lucide-react'

/** Command that the composer lists after a slash. */
export interface ComposerCommand {
  readonly id: string
  readonly name: string
  readonly icon: LucideIcon
  /** As it is typed after the slash. */
  readonly slash: string
  /** Other words by which it is found. */
  readonly words?: string | undefined
  readonly keys?: readonly string[] | undefined
  readonly run: () => void
}
