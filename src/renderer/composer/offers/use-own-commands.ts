import { BookmarkPlus, Box, Paperclip, Pencil } from 'lucide-react'
import { type RefObject, useMemo } from 'react'
import { useActions, useStores } from '../../state/context'
import type { ComposerCommand } from '../../ui/controls/composer-command'
import type { ComposerState } from '../draft/use-composer'

/** Returns the commands of the composer itself: the model, files, the last message, and the draft as a prompt. */
export function useOwnCommands(
  { contextKey, isRunning }: ComposerState,
  field: RefObject<HTMLTextAreaElement | null>,
  files: RefObject<HTMLInputElement | null>,
  pickModel: () => void,
): readonly ComposerCommand[] {
  const { app, prompts } = useStores()
  const { editLast } = useActions()
  const canEdit = contextKey !== undefined && !isRunning
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pickModel` sets a state, whichever one it is
  return useMemo(
    () => [
      {
        id: 'model',
        name: 'Choose a model',
        slash: 'model',
        icon: Box,
        words: 'llm provider',
        run: pickModel,
      },
      {
        id: 'attach',
        name: 'Attach files',
        slash: 'attach',
        icon: Paperclip,
        words: 'image upload',
        run: () => files.current?.click(),
      },
      ...(canEdit
        ? [
            {
              id: 'edit-last',
              name: 'Edit the last message',
              slash: 'edit-last',
              icon: Pencil,
              keys: ['↑'],
              run: () => void editLast(),
            },
          ]
        : []),
      {
        id: 'save-prompt',
        name: 'Save what follows as a prompt, or manage prompts',
        slash: 'prompts',
        icon: BookmarkPlus,
        words: 'save template snippet',
        run() {
          const text = field.current?.value ?? ''
          if (text.trim() === '') app.getState().openSettings('prompts')
          else prompts.getState().ask(text)
        },
      },
    ],
    [app, prompts, editLast, canEdit, field, files],
  )
}
