package changes

import "fmt"

// TextSentence says for how many applications the text of a document changes, and how many approvals
// return to review.
func TextSentence(applications, approvals int, code string) string {
	return counted(applications, "application") + ": the text of " + code + " changes" + returning(approvals)
}

// IdentitySentence says how many approvals return to review with any rules, because the person or the
// business of the document has another identity now.
func IdentitySentence(applications, approvals int, code string) string {
	return counted(applications, "application") + ": the identity behind " + code + " has changed" + returning(approvals)
}

func returning(approvals int) string {
	switch approvals {
	case 0:
		return ""
	case 1:
		return ", 1 approval returns to review"
	}
	return fmt.Sprintf(", %d approvals return to review", approvals)
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
