package changes

import (
	"fmt"

	"requisite/internal/rules/requirement"
)

// SameText reports whether two rules of one document demand the same of an applicant. If so, an
// approval of the one holds for the other.
func SameText(a, b requirement.DocumentRule) bool {
	return a.DocumentText().Same(b.DocumentText())
}

// TextSentence says for how many applications the text of a document changes, and how many approvals
// return to review.
func TextSentence(applications, approvals int, code string) string {
	text := counted(applications, "application") + ": the text of " + code + " changes"
	switch approvals {
	case 0:
		return text
	case 1:
		return text + ", 1 approval returns to review"
	}
	return fmt.Sprintf("%s, %d approvals return to review", text, approvals)
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
