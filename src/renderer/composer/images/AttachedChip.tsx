import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { focusOn } from '../../ui/behaviour/focus'
import { IconButton } from '../../ui/controls/Button'

/** Row of a list of attachments: what it shows, and a button that removes it and puts the focus back into the field. */
export function AttachedChip(props: {
  readonly name: string
  readonly isFixed: boolean
  readonly onDetach: () => void
  readonly children: ReactNode
}) {
  const { name, isFixed, onDetach, children } = props
  return (
    <li className="attached-image">
      {children}
      <IconButton
        label={`Remove ${name}`}
        icon={X}
        size="small"
        isDisabled={isFixed}
        onClick={() => {
          onDetach()
          focusOn('composer')
        }}
      />
    </li>
  )
}
