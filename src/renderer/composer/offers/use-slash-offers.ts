import { FileText } from 'lucide-react'
import { type RefObject, useEffect, useMemo } from 'react'
import { usePrompts, useStores } from '../../state/context'
import { focusOn } from '../../ui/behaviour/focus'
import { replaceTyped } from '../../ui/behaviour/replace-text'
import type { CaretPart } from './caret-part'
import { type ComposerCommand, findOffers, type Offer, type OfferGroup } from './offers'

/**
 * Returns the saved prompts and commands for what is typed after a slash; the prompts are read from the disk when the slash is typed.
 *
 * @param insert puts the text of a prompt in the place of what was typed
 */
export function useSlashOffers(
  part: CaretPart | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  commands: readonly ComposerCommand[],
  insert: (part: CaretPart, text: string) => void,
): readonly OfferGroup[] {
  const { prompts: store } = useStores()
  const prompts = usePrompts((state) => state.prompts)
  const isAsked = part?.sign === '/'
  useEffect(() => {
    if (isAsked) void store.getState().load()
  }, [isAsked, store])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed and the lists make the offers
  return useMemo(() => {
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
      if (text !== undefined && part !== undefined) insert(part, text)
    }
    const ofCommand = ({ id, name, slash, icon, keys, words, run }: ComposerCommand): Offer => ({
      id,
      typed: `/${slash}`,
      about: name,
      icon,
      keys,
      words,
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
}
