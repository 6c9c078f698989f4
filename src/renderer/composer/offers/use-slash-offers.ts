import { FileText } from 'lucide-react'
import { type RefObject, useEffect, useMemo } from 'react'
import { usePrompts, useStores } from '../../state/context'
import { focusOn } from '../../ui/behaviour/focus'
import { replaceTyped } from '../../ui/behaviour/replace-text'
import type { ComposerCommand } from '../../ui/controls/composer-command'
import type { CaretPart } from './caret-part'
import { findOffers, type Offer } from './offers'
import type { FoundOffers } from './use-offer-box'

/**
 * Returns the saved prompts and commands for what is typed after a slash; the prompts are read from the disk when the
 * composer comes and when the slash is typed.
 *
 * @param insert puts the text of a prompt in the place of what was typed, as long as that stands there
 */
export function useSlashOffers(
  part: CaretPart | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  commands: readonly ComposerCommand[],
  insert: (part: CaretPart, text: string) => void,
): FoundOffers {
  const { prompts: store } = useStores()
  const prompts = usePrompts((state) => state.prompts)
  const isLoading = usePrompts((state) => state.isLoading)
  const failure = usePrompts((state) => state.failure)
  const isAsked = part?.sign === '/'
  useEffect(() => void store.getState().load(), [store])
  useEffect(() => {
    if (isAsked) void store.getState().load()
  }, [isAsked, store])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed and the lists make the offers
  const groups = useMemo(() => {
    if (part?.sign !== '/') return []
    const ofPrompt = ({ name, about }: { name: string; about: string }): Offer => ({
      id: `prompt ${name}`,
      typed: `/${name}`,
      about,
      icon: FileText,
      take: () => void takePrompt(name),
    })
    async function takePrompt(name: string): Promise<void> {
      const text = await store.getState().read(name)
      const { current } = field
      if (text === undefined || part === undefined || current === null) return
      if (stands(part, current.value)) insert(part, text)
      else store.getState().miss(name)
    }
    const ofCommand = ({
      id,
      name,
      slash,
      icon,
      keys,
      words,
      takesAway = false,
      run,
    }: ComposerCommand): Offer => ({
      id,
      typed: `/${slash}`,
      about: name,
      icon,
      keys,
      words,
      complete: takesAway
        ? () => {
            const { current } = field
            if (current !== null) replaceTyped(current, part.start, part.end, `/${slash}`)
          }
        : undefined,
      take() {
        const { current } = field
        // With the space that parts it from the rest of the message.
        const end = current === null ? 0 : current.value.slice(part.end).search(/\S|$/) + part.end
        if (current !== null) replaceTyped(current, part.start, end, '')
        focusOn('composer')
        run()
      },
    })
    return findOffers(
      [
        {
          name: 'Saved prompts',
          offers: (prompts ?? []).filter(({ fault }) => fault === undefined).map(ofPrompt),
        },
        { name: 'Commands', offers: commands.map(ofCommand) },
      ],
      part.query,
    )
  }, [part?.sign, part?.query, part?.end, prompts, commands])
  return {
    groups,
    isPending: isAsked && isLoading,
    fault: failure && `The saved prompts could not be listed: ${failure.message}`,
  }
}

/** Returns whether a part is still in a text, and nothing was typed right behind it. */
function stands({ sign, query, start, end }: CaretPart, text: string): boolean {
  return text.slice(start, end) === `${sign}${query}` && /^(?:\s|$)/.test(text.slice(end))
}
