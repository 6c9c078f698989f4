import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useLost, useStores } from '../state/context'
import { focusOn, focusWhenDrawn } from '../ui/behaviour/focus'
import { isComposing } from '../ui/behaviour/keys'
import { Button } from '../ui/controls/Button'
import { RefusalNote } from '../ui/notes/RefusalNote'

/** Button that forgets a gone conversation, after a question. */
export function ForgetButton(props: { readonly of: LibraryKey; readonly title: string }) {
  const { of, title } = props
  const { lost } = useStores()
  const refusal = useLost(({ refusals }) => refusals[of])
  const [step, setStep] = useState<'rest' | 'asked' | 'busy'>('rest')
  const frame = useRef<HTMLDivElement>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const ask = useRef<HTMLButtonElement>(null)
  const isAsked = step !== 'rest'
  useEffect(() => {
    if (isAsked) keep.current?.focus()
  }, [isAsked])

  function cancel(): void {
    setStep('rest')
    focusWhenDrawn(() => ask.current)
  }

  async function forget(): Promise<void> {
    const item = frame.current?.closest('li')
    const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
    setStep('busy')
    if (!(await lost.getState().forget(of))) return cancel()
    // Its buttons are gone with it, so the focus goes to the next item.
    const next = neighbour?.isConnected ? neighbour.querySelector('button') : null
    if (next == null) focusOn('lost')
    else next.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent) || step !== 'asked') return
    // One level out: the question alone.
    event.stopPropagation()
    cancel()
  }

  if (!isAsked)
    return (
      <div ref={frame} className="lost-acts">
        <RefusalNote title="Not removed from the list." refusal={refusal} />
        <Button ref={ask} isSmall kind="ghost" onClick={() => setStep('asked')}>
          Forget…<span className="unseen"> {title}</span>
        </Button>
      </div>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields of a form
    <div
      ref={frame}
      className="lost-question"
      role="group"
      aria-label={`Forget ${title}?`}
      onKeyDown={onKeyDown}
    >
      <p>
        Skein removes its title and counts from the list. No file is touched; if its files come
        back, it is listed again.
      </p>
      <div className="note-actions">
        <Button ref={keep} isSmall onClick={cancel}>
          Cancel
        </Button>
        <Button isSmall kind="danger" isBusy={step === 'busy'} onClick={() => void forget()}>
          Forget
        </Button>
      </div>
    </div>
  )
}
