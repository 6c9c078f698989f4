import { type FocusEvent, type ReactNode, type SyntheticEvent, useRef, useState } from 'react'

interface Tip {
  readonly text: string
  /** Of the mark, in pixels of the frame. */
  readonly middle: number
  readonly top: number
  readonly bottom: number
  readonly isBelow: boolean
}

/** Room that a tip needs above its mark, in pixels. */
const tipHeight = 44

/**
 * Frame of a picture that shows the name of the mark under the pointer or the focus, and what a click does. Not read
 * aloud: the marks have the same names.
 */
export function Tips(props: { readonly children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<Tip>()

  function follow(event: SyntheticEvent): void {
    const mark = event.target instanceof Element ? event.target.closest('[data-mark]') : null
    const text = mark?.getAttribute('aria-label')
    const around = frame.current?.getBoundingClientRect()
    if (mark == null || text == null || around === undefined) {
      setTip(undefined)
      return
    }
    const box = mark.getBoundingClientRect()
    setTip({
      text,
      middle: box.left + box.width / 2 - around.left,
      top: box.top - around.top,
      bottom: box.bottom - around.top,
      isBelow: box.top - around.top < tipHeight,
    })
  }
  function leave(event: FocusEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget)) setTip(undefined)
  }
  const width = frame.current?.clientWidth ?? 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it shows what is under the pointer, and does nothing
    <div
      ref={frame}
      className="tips"
      onMouseOver={follow}
      onMouseLeave={() => setTip(undefined)}
      onFocus={follow}
      onBlur={leave}
    >
      {props.children}
      {tip !== undefined && (
        <div
          className={`tip ${tip.isBelow ? 'below' : ''}`}
          aria-hidden="true"
          style={{
            // Inside of the frame, however near its edge the mark is.
            left: `clamp(0px, calc(${tip.middle}px - 9rem), max(0px, calc(${width}px - 18rem)))`,
            top: tip.isBelow ? tip.bottom + 6 : tip.top - 6,
          }}
        >
          <span className="tip-box">
            <span>{tip.text}</span>
            <span className="t3">Click to show them in the library</span>
          </span>
        </div>
      )}
    </div>
  )
}
