import { ArrowDown, ArrowUp } from 'lucide-react'
import { useActions, useTranscript, useUnread } from '../../state/context'
import type { UnreadBorder } from '../../state/transcript-state'
import { Button } from '../../ui/controls/Button'
import { useNewsWords } from './use-news-words'

/** Button to what came while nobody looked, until that was in view. */
export function NewsButton() {
  const border = useUnread((state) => state.border)
  const key = useTranscript((state) => state.key)
  if (border === undefined || border.isSeen || border.key !== key) return null
  return <ToNews border={border} />
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
