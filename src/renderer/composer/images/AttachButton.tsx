import { Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { IconButton } from '../../ui/controls/Button'

/** Button that opens the system's dialog for images and text files. */
export function AttachButton(props: {
  /** Field of the dialog: a press on it opens the dialog. */
  readonly input: RefObject<HTMLInputElement | null>
  readonly isDisabled: boolean
  readonly onFiles: (files: readonly File[]) => void
}) {
  const { input, isDisabled, onFiles } = props
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Else choosing the same file again would be no change.
          target.value = ''
        }}
      />
      <IconButton
        label="Attach files"
        icon={Plus}
        size="medium"
        isDisabled={isDisabled}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
