import { ArrowDown, ArrowUp } from 'lucide-react'
import { useActions, useTranscript, useUnread } from '../../state/context'
import type { UnreadBorder } from '../../state/transcript-state'
import { Button } from '../../ui/controls/Button'
import { useNewsWords } from './use-news-words'

/** Button to what came while nobody looked, until that was in view. */
export function NewsButton() {
  const border = useUnseenBorder()
  return border === undefined ? null : <ToNews border={border} />
}

/** Returns true while that button stands. */
export function useIsNewsButtonShown(): boolean {
  return useUnseenBorder() !== undefined
}

function useUnseenBorder(): UnreadBorder | undefined {
  const border = useUnread((state) => state.border)
  const key = useTranscript((state) => state.key)
  return border?.key === key && border?.isSeen === false ? border : undefined
}

function ToNews({ border }: { readonly border: UnreadBorder }) {
  const { goToNews } = useActions()
  const isAbove = useUnread((state) => state.isBorderAbove)
  return (
    <Button
      isSmall
      kind="primary"
      icon={isAbove ? ArrowUp : ArrowDown}
      keys={['N']}
      onClick={goToNews}
    >
      {useNewsWords(border.sinceMs)}
    </Button>
  )
}
