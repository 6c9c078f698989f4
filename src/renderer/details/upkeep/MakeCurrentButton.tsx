import { useStores, useUpkeep } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { Tooltip } from '../../ui/controls/Tooltip'

/** Button that makes the open context chibi's current one. */
export function MakeCurrentButton() {
  const { upkeep } = useStores()
  const refusal = useUpkeep((state) =>
    state.refusal?.of === 'current' ? state.refusal.error : undefined,
  )
  return (
    <>
      <Button isSmall kind="ghost" onClick={() => void upkeep.getState().makeCurrent()}>
        Make current
      </Button>
      {refusal !== undefined && (
        <Tooltip text={refusal.message}>
          <span className="err-t" role="alert">
            Not done: {refusal.message}
          </span>
        </Tooltip>
      )}
    </>
  )
}
