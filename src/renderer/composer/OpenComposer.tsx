import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { ComposerCommand } from '../ui/controls/composer-command'
import { Composer } from './Composer'
import { useComposer } from './draft/use-composer'

/** Composer of an open conversation. */
export function OpenComposer(props: {
  readonly contextKey: LibraryKey
  /** Commands that a slash lists. */
  readonly commands: readonly ComposerCommand[]
}) {
  const { contextKey, commands } = props
  return (
    <Composer
      composing={useComposer(contextKey)}
      commands={commands}
      placeholder="Write a message. / for prompts and commands, @ for files and conversations"
    />
  )
}
