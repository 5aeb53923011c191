//go:build !(linux || darwin)

package filterfile

import "os"

func enterUse(*os.File) (alone bool, err error) { return false, errNotHere }

func openDoor(*os.File) error { return errNotHere }

func leaveUse(*os.File) (alone bool, err error) { return false, errNotHere }

func endUse(*os.File) error { return errNotHere }
