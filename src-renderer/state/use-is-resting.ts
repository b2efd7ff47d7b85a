import { useIsFetching } from '@tanstack/react-query'

/** Whether everything that was asked of the engine is answered. */
export const useIsResting = (): boolean => useIsFetching() === 0
