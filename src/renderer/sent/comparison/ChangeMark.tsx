const marks = {
  removed: ['−', 'Removed'],
  added: ['+', 'Added'],
  changed: ['±', 'Changed'],
} as const

/** Sign and word for a change: removed, added or changed. */
export function ChangeMark(props: { readonly type: keyof typeof marks }) {
  const [sign, word] = marks[props.type]
  return (
    <span className={`sent-mark ${props.type}`}>
      <span className="mono" aria-hidden="true">
        {sign}
      </span>{' '}
      {word}
    </span>
  )
}
